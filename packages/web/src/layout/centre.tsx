import { Suspense } from "react";
import { useRoute } from "wouter";
import type { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { lazily } from "../parts/lazily.tsx";
import { Transcript } from "../transcript/transcript.tsx";
import { travelStore } from "../travel/travel.ts";

const Compare = lazily(() => import("../takes/compare.tsx"));
const TimeTravel = lazily(() => import("../travel/time-travel.tsx"));

/** The middle of the screen: the conversation as it is, as it was, or beside that of another take. */
export function Centre({ session }: { readonly session: Session }) {
  const travel = useStore(travelStore);
  const [comparing, compared] = useRoute("/t/:thread/compare/:a/:b");
  const isPast = travel?.thread === session.thread;
  if (!comparing && !isPast) return <Transcript session={session} />;
  return (
    <Suspense fallback={<p className="text-muted flex-1 p-6">Loading …</p>}>
      {comparing ? (
        <Compare session={session} a={compared.a} b={compared.b} />
      ) : (
        isPast && <TimeTravel travel={travel} />
      )}
    </Suspense>
  );
}
