/**
 * The draft is a record of the take (S2), so every screen shows the same and a reload loses nothing. Typing is saved after
 * a pause, as one burst. Words that are not saved yet are kept in the browser, by their take; `seeDraft` decides which words
 * the field shows.
 */
import { ApiError } from "@retake/client";
import {
  type Draft,
  type DraftTake,
  isTakeGone,
  isUnsaved,
  NO_DRAFT,
  savedDraft,
  savingDraft,
  seeDraft,
  withoutPrompt,
} from "@retake/client/screen";
import { setting } from "@retake/core";
import { keep } from "../data/browser-storage.ts";
import { client } from "../data/connection.ts";
import type { Session } from "../data/session.ts";
import { EnterRun } from "./enter-run.ts";

const QUIET_MS = 300;
const AGAIN_MS = 3000;

/** Of the whole page: a press may be meant for another part of it, or for the thread that was there before. */
const presses = new EnterRun();
addEventListener("keydown", (act) => presses.note(act), true);
addEventListener("pointerdown", ({ timeStamp }) => presses.note({ timeStamp }), true);

/** The field on the screen. */
let present: DraftField | undefined;

/** Adds a line to the words in the field, those too that are not saved yet, and goes there: a comment on a line of a file. */
export function addToDraft(line: string): void {
  present?.add(line);
  document.getElementById("composer")?.focus();
}

export class DraftField {
  readonly #session: Session;
  readonly #show: (text: string) => void;
  #draft: Draft = NO_DRAFT;
  #text = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;
  #isOver = false;
  /** When words came on the screen that nobody typed here. */
  #shown = { at: Number.NEGATIVE_INFINITY };

  constructor(session: Session, show: (text: string) => void) {
    this.#session = session;
    this.#show = show;
  }

  /** Shows the draft of the session until the returned function is called. */
  follow(): () => void {
    this.#isOver = false;
    present = this;
    const stop = this.#session.store.subscribe(() => this.#see());
    this.#see();
    return () => {
      stop();
      // Saved once more. Words that cannot be saved stay in the browser: a later field of this take may have newer ones.
      this.#isOver = true;
      void this.save();
    };
  }

  /** Whether the draft is known, and nothing is typed. */
  get isEmpty(): boolean {
    return this.#draft.take !== undefined && this.#text === "";
  }

  /**
   * Whether the last press of Enter is meant for the words in the field: they were on the screen when it went down. Those that an
   * undo has just brought back were not: a second Enter, which was meant for the preview of the undo, would send them.
   */
  get takesPress(): boolean {
    return presses.isAfter(this.#shown.at);
  }

  /** The user changed the text. */
  change(text: string): void {
    this.#shown = { at: Number.NEGATIVE_INFINITY };
    this.#set(text);
    this.saveLater();
  }

  /** Puts a prompt before the words that are in the field now, also where it was asked for earlier. */
  putBack(prompt: string): void {
    this.change(this.#text === "" ? prompt : `${prompt}\n${this.#text}`);
  }

  add(line: string): void {
    this.change(this.#text === "" ? line : `${this.#text}\n${line}`);
  }

  /** The prompt was sent: it goes, and words that were typed meanwhile stay. */
  sent(prompt: string): void {
    this.change(withoutPrompt(this.#text, prompt));
  }

  saveLater(milliseconds = QUIET_MS): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), milliseconds);
  }

  /** A prompt that is being sent needs no save: its turn empties the draft. */
  hold(): void {
    clearTimeout(this.#timer);
  }

  /** Saves all that is typed. It never fails: words that could not be saved are saved later. */
  save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#running ??= this.#saveAll().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #saveAll(): Promise<void> {
    while (this.#draft.take && isUnsaved(this.#draft, this.#text)) {
      const { take } = this.#draft;
      const words = this.#text;
      this.#draft = savingDraft(this.#draft, words);
      try {
        const version = await saveWords(take, words);
        this.#draft = savedDraft(this.#draft, take, version);
      } catch (error) {
        this.#draft = savedDraft(this.#draft, take, undefined);
        if (!this.#isOver && mayPass(error)) this.saveLater(AGAIN_MS);
        // Words that were typed after those that are refused for good are saved at once.
        if (mayPass(error) || words === this.#text) return;
      }
    }
  }

  #see(): void {
    const { view } = this.#session.store.value;
    if (!view) return;
    const { take: before } = this.#draft;
    const take = { thread: this.#session.thread, id: view.take };
    const stored = setting(view.state, view.take, "draft");
    const isGone = isTakeGone(this.#draft, view);
    const seen = { take, stored, version: view.state.version, isGone };
    const { draft, text, left } = seeDraft(this.#draft, this.#text, seen);
    this.#draft = draft;
    // If it fails, the words are in the browser until their take is shown again.
    if (left) void saveWords(left.take, left.text).catch(() => undefined);
    const local = before?.id === take.id || text !== stored ? null : localStorage.getItem(placeOf(take));
    if (text !== this.#text) this.#noteShown();
    this.#set(local ?? text);
    if (before?.id !== take.id) this.saveLater();
  }

  /** They are on the screen when a task runs after the next frame: a page that nobody sees draws none. */
  #noteShown(): void {
    const shown = { at: Number.POSITIVE_INFINITY };
    this.#shown = shown;
    requestAnimationFrame(() =>
      setTimeout(() => {
        shown.at = performance.now();
      }),
    );
  }

  #set(text: string): void {
    const { take, stored, saving } = this.#draft;
    this.#text = text;
    this.#show(text);
    if (!take) return;
    if (text === stored && saving === undefined) localStorage.removeItem(placeOf(take));
    else if (localStorage.getItem(placeOf(take)) !== text) keep(localStorage, placeOf(take), text);
  }
}

let lastSave: Promise<unknown> = Promise.resolve();

/** Saves of this page go one after the other, so that a slow one never overwrites a later one. Answers the version. */
function saveWords(take: DraftTake, draft: string): Promise<number> {
  const save = lastSave.then(async () => {
    const { version } = await client.changeSettings(take.thread, { draft, take: take.id, typing: true });
    if (localStorage.getItem(placeOf(take)) === draft) localStorage.removeItem(placeOf(take));
    return version;
  });
  lastSave = save.catch(() => undefined);
  return save;
}

function placeOf({ thread, id }: DraftTake): string {
  return `retake-draft-${thread}-${id}`;
}

/** A refusal stays: the take is deleted, or the text too long. A browser can be signed in again. */
function mayPass(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 401 || error.status >= 500;
}
