import { runningTurn } from "@retake/core";
import { useEffect, useRef, useState } from "react";
import { runSlash, SLASH_COMMANDS } from "../commands/slash.ts";
import { interrupt } from "../commands/thread-commands.ts";
import { addImages } from "../context/add-images.ts";
import { client } from "../data/connection.ts";
import { useTitle } from "../data/key-choices.ts";
import { say, status } from "../data/notices.ts";
import { messageOf, type Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { type Habits, habits } from "../data/view-state.ts";
import { useConnection } from "../layout/connection-bar.tsx";
import { Icon } from "../parts/icon.tsx";
import { sidesOf } from "../parts/sides-of.ts";
import { backToNow } from "../travel/travel.ts";
import { Approvals } from "./approvals.tsx";
import { AttachButton } from "./attach-button.tsx";
import { AttachedImages } from "./attached-images.tsx";
import { Completion, type Offer } from "./completion.tsx";
import { NotStarted } from "./not-started.tsx";
import { Queue } from "./queue.tsx";
import { RedoDock } from "./redo-dock.tsx";
import { RetryDock } from "./retry-dock.tsx";
import { rememberPrompt } from "./sent-prompts.ts";
import { StatusLine } from "./status-line.tsx";
import { useDraft } from "./use-draft.ts";

/** Where prompts are written. Above it: what waits for an answer, what was undone, and what is queued. */
export function Composer({ session }: { readonly session: Session }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, field: draft } = useDraft(session);
  const change = (next: string) => draft.change(next);
  const putBack = (prompt: string) => draft.putBack(prompt);
  const running = useStore(session.store, ({ view }) => view && runningTurn(view.state, view.take));
  const connection = useConnection();
  const [failure, setFailure] = useState<string>();
  const sendKey = useStore(habits, ({ send: chosen }) => chosen);
  const stopTitle = useTitle("Stop the turn", "interrupt");
  const [sending, setSending] = useState(false);
  /** One key for one prompt, so that a prompt that is sent again after a lost answer does not start twice. */
  const key = useRef({ prompt: "", value: "" });
  const [word, setWord] = useState<string>();
  const offers = useOffers(session, word);
  const [chosen, setChosen] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as tall as its text
  useEffect(() => {
    const { current } = field;
    if (!current) return;
    current.style.height = "auto";
    current.style.height = `${Math.min(current.scrollHeight, 240)}px`;
  }, [text]);

  const send = async () => {
    const prompt = text.trim();
    if (prompt === "" || sending) return;
    setFailure(undefined);
    setSending(true);
    draft.hold();
    try {
      if (prompt.startsWith("/")) {
        draft.sent(prompt);
        // Before the command: an undo gives a prompt back only where no draft is begun.
        await draft.save();
        await runSlash(session, prompt);
      } else {
        if (key.current.prompt !== prompt) key.current = { prompt, value: crypto.randomUUID() };
        const { thread } = session;
        const { turn_id } = await client.startTurn(thread, { prompt }, { idempotencyKey: key.current.value });
        key.current = { prompt: "", value: "" };
        draft.sent(prompt);
        rememberPrompt({ turn: turn_id, thread, prompt });
        // The answer comes now, not in the past that may be shown.
        backToNow();
        status.set(running ? "Queued" : "Sent");
      }
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setSending(false);
      draft.saveLater();
    }
  };
  /** Images that are pasted or dropped are sent with the prompt; a refusal is said here. */
  const attach = async (files: readonly File[]) => {
    try {
      await addImages(session.thread, files);
      setFailure(undefined);
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  const accept = (offer: Offer) => {
    const { current } = field;
    if (!current || word === undefined) return;
    const end = current.selectionStart;
    // In the field itself, so that the cursor stays after the word.
    current.setRangeText(`${offer.insert} `, end - word.length, end, "end");
    change(current.value);
    setWord(undefined);
    current.focus();
  };
  const offline = connection === "lost" || connection === "signed-out";
  return (
    <div className="dock">
      <RedoDock session={session} />
      <RetryDock session={session} />
      <NotStarted
        session={session}
        isEmpty={() => draft.isEmpty}
        onBack={(prompt, why) => {
          putBack(prompt);
          setFailure(why && `Not started. ${why}`);
        }}
      />
      <Queue session={session} onEdit={putBack} />
      <Approvals
        session={session}
        onLeft={(reason) => {
          putBack(reason);
          say("The question was answered elsewhere. Your reason is in the prompt.");
        }}
      />
      <AttachedImages session={session} />
      {failure && (
        <p role="alert" className="error-box mb-2">
          {failure}
        </p>
      )}
      <form
        className="composer"
        aria-label="Prompt"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          if (event.dataTransfer.files.length > 0) void attach([...event.dataTransfer.files]);
        }}
        onPaste={(event) => {
          const files = [...event.clipboardData.files];
          const words = event.clipboardData.getData("text/plain").trim();
          // Cells of a table come as text and as a picture of it: the text is meant. A copied file comes with its name.
          if (files.length === 0 || (words !== "" && !files.some(({ name }) => name === words))) return;
          event.preventDefault();
          void attach(files);
        }}
      >
        {offers.length > 0 && <Completion offers={offers} chosen={chosen} onChoose={accept} />}
        <textarea
          ref={field}
          id="composer"
          className={sidesOf(text)}
          aria-label="Prompt"
          aria-autocomplete="list"
          aria-controls={offers.length > 0 ? "completion" : undefined}
          aria-activedescendant={offers.length > 0 ? `offer-${chosen}` : undefined}
          rows={1}
          placeholder={placeholder(running !== undefined)}
          value={text}
          onChange={(event) => {
            change(event.target.value);
            setWord(wordBefore(event.target));
            setChosen(0);
          }}
          onBlur={() => setWord(undefined)}
          onKeyDown={(event) => {
            const offer = offers[chosen];
            if (offer && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
              event.preventDefault();
              const step = event.key === "ArrowDown" ? 1 : -1;
              setChosen((chosen + step + offers.length) % offers.length);
            } else if (offer && (event.key === "Tab" || (event.key === "Enter" && offer.insert !== word))) {
              event.preventDefault();
              accept(offer);
            } else if (event.key === "Escape") {
              event.preventDefault();
              event.stopPropagation();
              if (offer) setWord(undefined);
              else leaveField();
            } else if (event.key === "Enter" && sends(event, sendKey) && !event.nativeEvent.isComposing) {
              event.preventDefault();
              if (event.repeat || text.trim() === "") return;
              if (draft.takesPress) void send();
              else say("These words came after you pressed Enter. Press another key or click, then Enter sends them.");
            }
          }}
        />
        <AttachButton onFiles={(files) => void attach(files)} />
        {running && (
          <button
            type="button"
            className="button"
            onClick={() => void interrupt(session.thread, running)}
            title={stopTitle}
          >
            <Icon name="stop" /> Stop
          </button>
        )}
        <button
          type="submit"
          className="button primary"
          disabled={text.trim() === "" || sending || offline}
          title={offline ? "The server cannot be reached" : `${running ? "Queue" : "Send"} (${sendKey})`}
        >
          <Icon name="send" /> {running ? "Queue" : "Send"}
        </button>
      </form>
      <StatusLine session={session} />
    </div>
  );
}

/** As long as there is room for. */
function placeholder(running: boolean): string {
  const narrow = innerWidth < 700;
  if (running) return narrow ? "Next prompt" : "The next prompt waits for this turn";
  return narrow ? "Ask for something" : "Ask for something · @ file · / command";
}

/** From typing to moving: to the conversation, or to its place where it is empty. */
function leaveField(): void {
  const rows = document.querySelector<HTMLElement>(".transcript [tabindex='0'], .transcript");
  (rows ?? document.querySelector<HTMLElement>("main[data-region]"))?.focus();
}

/** Whether a press of Enter sends: with Ctrl it always does. */
function sends(event: React.KeyboardEvent, key: Habits["send"]): boolean {
  return event.ctrlKey || event.metaKey || (key === "Enter" && !event.shiftKey);
}

/** The word before the cursor, where it begins with `@`, or with `/` at the start. */
function wordBefore(field: HTMLTextAreaElement): string | undefined {
  const before = field.value.slice(0, field.selectionStart);
  return /(?:^\/[a-z]*|(?:^|\s)@[^\s@]*)$/.exec(before)?.[0]?.trimStart();
}

/** Completions of the word: commands, or files of the workspace. */
function useOffers(session: Session, word: string | undefined): readonly Offer[] {
  const [offers, setOffers] = useState<readonly Offer[]>([]);
  useEffect(() => {
    if (word === undefined) return setOffers([]);
    if (word.startsWith("/")) {
      const found = SLASH_COMMANDS.filter(({ name }) => `/${name}`.startsWith(word));
      return setOffers(found.slice(0, 8).map(({ name, about }) => ({ insert: `/${name}`, about })));
    }
    let gone = false;
    const timer = setTimeout(() => {
      void client
        .listFiles(session.thread, { q: word.slice(1), limit: 8 })
        .then(({ files }) => !gone && setOffers(files.map(({ path }) => ({ insert: `@${path}`, about: "" }))))
        .catch(() => !gone && setOffers([]));
    }, 100);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [session, word]);
  return offers;
}
