import { useStore } from "../data/store.ts";
import { changePanels, panels } from "../data/view-state.ts";

const LEAST = 320;
const MOST = 900;

/** The line between the conversation and the inspector: drag it, or move it with the arrow keys. */
export function Separator() {
  const { width } = useStore(panels);
  const resize = (next: number) => changePanels({ width: Math.round(Math.min(MOST, Math.max(LEAST, next))) });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the inspector"
      aria-valuenow={width}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      tabIndex={0}
      className="separator"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) resize(innerWidth - event.clientX);
      }}
      onKeyDown={(event) => {
        const step = event.key === "ArrowLeft" ? 20 : event.key === "ArrowRight" ? -20 : 0;
        if (step === 0) return;
        event.preventDefault();
        resize(width + step);
      }}
    />
  );
}
