import { type ComponentType, Suspense } from "react";
import { useTitle } from "../data/key-choices.ts";
import { planStore } from "../data/plan.ts";
import type { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { changePanels, showTab, TABS, type Tab, tabStore } from "../data/view-state.ts";
import { Icon } from "../parts/icon.tsx";
import { lazily } from "../parts/lazily.tsx";
import { PlanPanel } from "../preview/plan-panel.tsx";
import type { PanelProps } from "./panel.ts";

const PANELS: Readonly<Record<Tab, ComponentType<PanelProps>>> = {
  changes: lazily(() => import("./changes-panel.tsx")),
  history: lazily(() => import("./history-panel.tsx")),
  takes: lazily(() => import("./takes-panel.tsx")),
  context: lazily(() => import("./context-panel.tsx")),
  settings: lazily(() => import("./settings-panel.tsx")),
  entry: lazily(() => import("./entry-panel.tsx")),
};

/** The right side: one panel at a time, or the plan that waits for a decision. */
export function Inspector({ session, hidden }: { readonly session: Session; readonly hidden: boolean }) {
  const tab = useStore(tabStore);
  const plan = useStore(planStore);
  const Panel = PANELS[tab];
  const closeTitle = useTitle("Close the inspector", "toggle-inspector");
  return (
    <aside
      className="inspector"
      aria-label="Inspector"
      id="inspector"
      data-region={!hidden || undefined}
      tabIndex={-1}
      hidden={hidden}
    >
      {plan && <PlanPanel state={plan} />}
      {/* The panel stays where it is behind a plan: what is chosen in it is still chosen afterwards. */}
      <div className="flex min-h-0 flex-1 flex-col" hidden={plan !== undefined}>
        <div className="flex items-center border-b border-line px-2">
          <div role="tablist" aria-label="Inspector" className="flex min-w-0 flex-1 overflow-x-auto">
            {TABS.map(({ id, title }, index) => (
              <button
                key={id}
                type="button"
                role="tab"
                id={`tab-${id}`}
                aria-selected={id === tab}
                aria-controls="inspector-panel"
                tabIndex={id === tab ? 0 : -1}
                className="tab"
                onClick={() => showTab(id)}
                onKeyDown={(event) => {
                  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
                  const next = TABS[(index + step + TABS.length) % TABS.length];
                  if (step === 0 || !next) return;
                  event.preventDefault();
                  showTab(next.id);
                  document.getElementById(`tab-${next.id}`)?.focus();
                }}
              >
                {title}
              </button>
            ))}
          </div>
          <button
            type="button"
            className="icon-button"
            aria-label="Close the inspector"
            title={closeTitle}
            onClick={() => changePanels({ inspector: false })}
          >
            <Icon name="close" />
          </button>
        </div>
        <div
          role="tabpanel"
          id="inspector-panel"
          aria-labelledby={`tab-${tab}`}
          className="flex min-h-0 flex-1 flex-col"
        >
          <Suspense fallback={<p className="text-muted p-4 text-sm">Loading …</p>}>
            <Panel session={session} />
          </Suspense>
        </div>
      </div>
    </aside>
  );
}
