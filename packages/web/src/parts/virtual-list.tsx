import { type CSSProperties, type Ref, useLayoutEffect, useRef } from "react";
import { Virtualizer, type VirtualizerHandle, type VirtualizerProps } from "virtua";

interface VirtualListProps<T>
  extends Pick<VirtualizerProps<T>, "children" | "data" | "shift" | "keepMounted" | "onScroll"> {
  readonly ref?: Ref<VirtualizerHandle>;
  /** Beside a name, the list needs a role of its own: assistive technology ignores the name of an element without one. */
  readonly role: "feed" | "group";
  readonly label: string;
  readonly className?: string;
  readonly style?: CSSProperties;
  readonly tabIndex?: number;
  readonly isBusy?: boolean;
}

const SCROLLS: CSSProperties = { overflowY: "auto", contain: "strict", width: "100%", height: "100%" };

/** A list that draws only the rows on the screen. It is busy until the browser has measured it: it has no rows before that. */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const { role, label, className = "", style, tabIndex, isBusy = false, ...rows } = props;
  const frame = useRef<HTMLDivElement>(null);
  const isMeasured = useRef(false);
  // On the element itself: a state would render the list once more, and a long one is measured while its reader waits.
  const mark = () => frame.current?.setAttribute("aria-busy", String(isBusy || !isMeasured.current));
  useLayoutEffect(() => mark());
  // The rows are drawn already when their list tells its size.
  const onResize = () => {
    isMeasured.current = true;
    mark();
  };
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have a name
    <div
      ref={frame}
      role={role}
      tabIndex={tabIndex}
      aria-label={label}
      className={`virtual-list ${className}`}
      style={{ ...SCROLLS, ...style }}
    >
      <Virtualizer {...rows} onResize={onResize} />
    </div>
  );
}
