import { useRoute } from "wouter";
import type { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { Compare } from "../takes/compare.tsx";
import { Transcript } from "../transcript/transcript.tsx";
import { TimeTravel } from "../travel/time-travel.tsx";
import { travelStore } from "../travel/travel.ts";

/** The middle of the screen: the conversation as it is, as it was, or beside that of another take. */
export function Centre({ session }: { readonly session: Session }) {
  const travel = useStore(travelStore);
  const [comparing, compared] = useRoute("/t/:thread/compare/:a/:b");
  if (comparing) return <Compare session={session} a={compared.a} b={compared.b} />;
  if (travel?.thread === session.thread) return <TimeTravel travel={travel} />;
  return <Transcript session={session} />;
}
