import { useState } from "react";
import { useLocation } from "wouter";
import { client } from "../data/connection.ts";
import { messageOf } from "../data/session.ts";
import { useAct } from "../parts/use-act.ts";
import { EXAMPLES, FirstWords } from "../transcript/empty-thread.tsx";

/** The first steps: no thread yet. */
export function Welcome({ failure }: { readonly failure?: string }) {
  const [, go] = useLocation();
  const [problem, setProblem] = useState(failure);
  const { busy, act } = useAct();
  const begin = async (prompt?: string) => {
    try {
      const { thread } = await client.createThread({});
      if (prompt) await client.startTurn(thread.id, { prompt });
      go(`/t/${thread.id}`);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <main className="mx-auto flex min-h-dvh max-w-xl flex-col justify-center gap-6 p-6">
      <div>
        <h1 className="text-2xl font-semibold">Everything here can be taken back</h1>
        <p className="text-muted mt-2">
          Ask the agent for something. Then undo it: the conversation and your files go back together, and your own
          edits stay.
        </p>
      </div>
      {problem && (
        <p role="alert" className="error-box">
          {problem}
        </p>
      )}
      <div className="flex flex-col gap-2">
        {EXAMPLES.map(({ prompt, about }) => (
          <button
            key={prompt}
            type="button"
            className="example"
            disabled={busy}
            onClick={(event) => act(event, () => begin(prompt))}
          >
            <code>{prompt}</code>
            <span className="text-muted">{about}</span>
          </button>
        ))}
      </div>
      <FirstWords />
      <button
        type="button"
        className="button primary self-start"
        disabled={busy}
        onClick={(event) => act(event, () => begin())}
      >
        New thread
      </button>
    </main>
  );
}
