import { useState } from "react";
import { client } from "../data/connection.ts";
import { sayError } from "../data/notices.ts";
import { messageOf, questionsIn, type Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";

/** Where prompts are written. */
export function Composer({ session }: { readonly session: Session }) {
  const [text, setText] = useState("");
  const state = useStore(session.store);
  const questions = questionsIn(state);
  const send = async () => {
    if (text.trim() === "") return;
    try {
      await client.startTurn(session.thread, { prompt: text }, { idempotencyKey: crypto.randomUUID() });
      setText("");
    } catch (error) {
      sayError(messageOf(error));
    }
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {questions.length > 0 && <p>{`${questions.length} to approve`}</p>}
      <textarea
        id="composer"
        aria-label="Prompt"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          void send();
        }}
      />
    </form>
  );
}
