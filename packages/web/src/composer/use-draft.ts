/**
 * The draft is a record of the take (S2), so every screen shows the same and a reload loses nothing. Typing is saved after
 * a pause, as one burst. What is typed here is never replaced while it is newer than what the server has; while the server
 * cannot be reached it is kept in the browser.
 */
import { setting } from "@retake/core";
import { useCallback, useEffect, useRef, useState } from "react";
import { client } from "../data/connection.ts";
import type { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";

const QUIET_MS = 300;
const AGAIN_MS = 3000;

export function useDraft(session: Session, isFocused: () => boolean) {
  const { thread } = session;
  const stored = useStore(session.store, ({ view }) => (view ? setting(view.state, view.take, "draft") : undefined));
  const place = `retake-draft-${thread}`;
  const [text, setText] = useState(() => localStorage.getItem(place) ?? "");
  const now = useRef(text);
  /** The draft of the server, as far as this screen knows; undefined while it has typed more. */
  const saved = useRef<string | undefined>(text === "" ? "" : undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const save = useCallback(async () => {
    clearTimeout(timer.current);
    const draft = now.current;
    try {
      await client.changeSettings(thread, { draft, typing: true });
      if (now.current === draft) {
        saved.current = draft;
        localStorage.removeItem(place);
      }
    } catch {
      timer.current = setTimeout(() => void save(), AGAIN_MS);
    }
  }, [thread, place]);

  const change = useCallback(
    (next: string) => {
      now.current = next;
      saved.current = undefined;
      setText(next);
      localStorage.setItem(place, next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void save(), QUIET_MS);
    },
    [place, save],
  );

  /** Empties the field after its text was sent: starting a turn empties the record too. */
  const clear = useCallback(() => {
    clearTimeout(timer.current);
    now.current = "";
    saved.current = "";
    setText("");
    localStorage.removeItem(place);
  }, [place]);

  useEffect(() => {
    if (stored === undefined || stored === now.current) return;
    const typing = saved.current === undefined;
    // A turn that begins empties the record; someone who is typing the next prompt keeps it.
    const next = stored === "" && isFocused() && now.current !== "";
    if (typing || next) return;
    now.current = stored;
    saved.current = stored;
    setText(stored);
  }, [stored, isFocused]);

  useEffect(() => {
    if (saved.current === undefined) void save();
    return () => clearTimeout(timer.current);
  }, [save]);

  return { text, change, clear };
}
