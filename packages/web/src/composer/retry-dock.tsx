import { useEffect, useState } from "react";
import { tryNow, tryWith } from "../commands/history-commands.ts";
import { status } from "../data/notices.ts";
import type { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { Icon } from "../parts/icon.tsx";
import { ModelMenu } from "../parts/model-menu.tsx";
import { duration } from "../parts/time.ts";

/** The model failed and the turn waits for its next try: why, until when, and the ways to wait no longer. */
export function RetryDock({ session }: { readonly session: Session }) {
  const retry = useStore(session.store, (state) => state.retry);
  const [now, setNow] = useState(Date.now());
  const [hurried, setHurried] = useState<typeof retry>();
  useEffect(() => {
    if (!retry) return;
    status.set(`The model failed: ${retry.message}`);
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [retry]);
  const turn = retry?.turn_id;
  if (!retry || turn === undefined) return null;
  const { thread } = session;
  const waits = hurried !== retry && retry.retry_at > now;
  const next = waits ? `Next try in ${duration(retry.retry_at - now)}` : "Trying again";
  return (
    <section className="retry-dock" aria-label="Waiting for the model">
      <Icon name="warning" />
      <p>
        {retry.message} <span className="text-muted">{`${next} (${retry.attempt} of ${retry.attempts}).`}</span>
      </p>
      {waits && (
        <button
          type="button"
          className="small-button strong"
          onClick={() => {
            setHurried(retry);
            void tryNow(thread, turn);
          }}
        >
          <Icon name="redo" /> Try now
        </button>
      )}
      <ModelMenu label="Another model" onChoose={(model) => void tryWith(thread, model, turn)} />
    </section>
  );
}
