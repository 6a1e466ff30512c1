import { useEffect, useState } from "react";
import { Composer } from "../composer/composer.tsx";
import { planStore } from "../data/plan.ts";
import { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { panels } from "../data/view-state.ts";
import { Inspector } from "../inspector/inspector.tsx";
import { Notices } from "../parts/notices.tsx";
import { Sidebar } from "../sidebar/sidebar.tsx";
import { Transcript } from "../transcript/transcript.tsx";
import { ConnectionBar } from "./connection-bar.tsx";
import { Separator } from "./separator.tsx";
import { TopBar } from "./top-bar.tsx";

/** One thread: the list of threads, the conversation, and the inspector. */
export function ThreadScreen({ thread }: { readonly thread: string }) {
  const session = useSession(thread);
  const { sidebar, inspector, width } = useStore(panels);
  const plan = useStore(planStore);
  if (!session) return null;
  const inspecting = inspector || plan !== undefined;
  return (
    <div
      className="screen"
      data-sidebar={sidebar}
      data-inspector={inspecting}
      style={{ "--inspector": `${width}px` } as object}
    >
      <a className="skip-link" href="#composer">
        Skip to the prompt
      </a>
      {sidebar && <Sidebar thread={thread} />}
      <main className="centre" aria-label="Conversation" data-region tabIndex={-1}>
        <TopBar session={session} />
        <ConnectionBar />
        <Transcript session={session} />
        <Composer session={session} />
      </main>
      {inspecting && (
        <>
          <Separator />
          <Inspector session={session} />
        </>
      )}
      <Notices />
    </div>
  );
}

function useSession(thread: string): Session | undefined {
  const [session, setSession] = useState<Session>();
  useEffect(() => {
    const made = new Session(thread);
    setSession(made);
    return () => made.end();
  }, [thread]);
  return session;
}
