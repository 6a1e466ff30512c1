import { useEffect, useRef } from "react";
import { dismiss, type Notice, notices, status } from "../data/notices.ts";
import { useStore } from "../data/store.ts";
import { Icon } from "./icon.tsx";

const SHOWN_MS = 10_000;

/** Messages about what happened, shown for a while, also to screen readers. A notice stays while the pointer or the focus is on it. */
export function Notices() {
  const list = useStore(notices);
  const said = useStore(status);
  return (
    <>
      <div role="status" aria-live="polite" className="sr-only" data-testid="status">
        {said}
      </div>
      <div className="notices">
        {list.map((notice) => (
          <NoticeCard key={notice.id} notice={notice} />
        ))}
      </div>
    </>
  );
}

function NoticeCard({ notice }: { readonly notice: Notice }) {
  const { id, text, tone, action } = notice;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hold = () => clearTimeout(timer.current);
  const release = () => {
    hold();
    timer.current = setTimeout(() => dismiss(id), SHOWN_MS);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each notice
  useEffect(() => {
    release();
    return hold;
  }, []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the notice on the screen
    <div
      className={`notice ${tone}`}
      role={tone === "error" ? "alert" : undefined}
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <p>{text}</p>
      {action && (
        <button
          type="button"
          className="button"
          onClick={() => {
            dismiss(id);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" className="icon-button" aria-label="Dismiss" onClick={() => dismiss(id)}>
        <Icon name="close" />
      </button>
    </div>
  );
}
