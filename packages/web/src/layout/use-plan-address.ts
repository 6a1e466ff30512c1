import { useEffect, useRef } from "react";
import { useLocation, useRoute } from "wouter";
import { say } from "../data/notices.ts";
import { leavePlan, planStore } from "../data/plan.ts";
import type { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";

/**
 * A plan in conflict has an address of its own, `/t/…/resolve/…`: Back leaves it, and nothing has changed. Its decisions
 * are in this page alone, so another page that opens the address is told so.
 */
export function usePlanAddress({ thread }: Session): void {
  const [isNamed, params] = useRoute("/t/:thread/resolve/:plan");
  const [address, go] = useLocation();
  const conflict = useStore(planStore, (state) =>
    (state?.plan?.conflicts ?? []).length > 0 ? (state?.plan?.plan_id ?? "plan") : undefined,
  );
  const named = isNamed ? params.plan : undefined;
  const before = useRef<string>(undefined);
  const pushed = useRef(false);
  useEffect(() => {
    const home = `/t/${thread}`;
    const wasNamed = before.current;
    before.current = named;
    if (conflict !== undefined && named === undefined) {
      if (wasNamed !== undefined) {
        pushed.current = false;
        leavePlan();
      } else if (address === home) {
        pushed.current = true;
        go(`${home}/resolve/${conflict}`);
      }
    } else if (conflict !== undefined && named !== conflict) {
      go(`${home}/resolve/${conflict}`, { replace: true });
    } else if (conflict === undefined && named !== undefined) {
      if (pushed.current) history.back();
      else {
        go(home, { replace: true });
        say("That preview is not open here. Nothing was changed: ask for it again.");
      }
      pushed.current = false;
    }
  }, [conflict, named, address, thread, go]);
}
