import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ApiError } from "@retake/client";
import { expect } from "vitest";
import { ServedPlace } from "../testing/served-place.ts";
import { failWhile, type Point, traceWhile } from "./attached-strace.ts";

/** The state that a user can see, as the bytes of answers and of files. */
export interface Seen {
  readonly entries: string;
  readonly threads: string;
  readonly history: string;
  readonly files: Readonly<Record<string, string>>;
}

/** The parts of the state that do not differ from run to run, as ids and times do. */
export type Shape = Pick<Seen, "files"> & { readonly entries: readonly (readonly [string, string])[] };

/** A repeated request, and the way back to the state before it. */
export interface Asked {
  readonly name: string;
  readonly send: (place: FailingPlace) => Promise<Answered>;
  readonly back: (place: FailingPlace) => Promise<unknown>;
}

export interface Answered {
  readonly turn_id?: string;
  readonly files_kept?: readonly { readonly path: string }[];
  /** For a retry: the outcome of the turn that it replaced. */
  readonly taken_back?: { readonly files_kept: readonly { readonly path: string }[] };
}

export type Outcome =
  /** `kept`: the files that it left as they were, and said so. */
  | { readonly kind: "done"; readonly kept: readonly string[] }
  /** The server ended. */
  | { readonly kind: "died" }
  /** The failure met the connection, so the outcome of the request is unknown. */
  | { readonly kind: "lost" }
  | { readonly kind: "failed"; readonly status: number; readonly code: string; readonly message: string };

/** A server with a thread whose last turn changed, made, moved and deleted files, one of which the user edited since. */
export class FailingPlace {
  // One thread for flushes, so that their order is the same every time.
  readonly served = new ServedPlace({ UV_THREADPOOL_SIZE: "1" });
  thread = "";
  snapshot = "";

  async prepare(): Promise<void> {
    await this.served.start();
    for (let number = 0; number < 4; number += 1) this.#write(`src/file-${number}.txt`, `${number}\n`.repeat(9));
    const client = this.client();
    // Another thread, which nothing that is done here concerns.
    await this.served.turn((await client.createThread({ title: "Other" })).thread.id, "write other.txt: other");
    this.thread = (await client.createThread({ title: "Failing" })).thread.id;
    await this.served.turn(this.thread, "write notes.txt: first");
    this.snapshot = (await client.takeSnapshot({ label: "early", thread_id: this.thread })).snapshot.id;
    await this.turn();
    this.#write("src/file-1.txt", `mine\n${"1\n".repeat(3)}changed\n${"1\n".repeat(4)}`);
    // The user's edit is noted, so that it is no part of the requests that follow.
    await client.undo(this.thread, { dry_run: true });
  }

  client() {
    return this.served.client();
  }

  turn(): Promise<string> {
    return this.served.turn(this.thread, PROMPT);
  }

  /** The calls on files that a request makes, and the turn that it begins. */
  async points(asked: Asked): Promise<Point[]> {
    const sent = await this.#request(asked);
    const calls = await traceWhile(this.served.pid, async () => {
      expect(await sent()).toMatchObject({ kind: "done" });
    });
    await asked.back(this);
    return calls;
  }

  /** Sends a request; resolves when all work that it began has ended. */
  async send(asked: Asked): Promise<Outcome> {
    return (await this.#request(asked))();
  }

  /** The same while a call of it fails; `met` is the call that did. */
  async sendFailing(asked: Asked, call: Point): Promise<{ readonly outcome: Outcome; readonly met?: string }> {
    // libuv waits for itself without end where it cannot write to the pipe that is its lock.
    const hung = setTimeout(() => void this.served.stop("SIGKILL"), HANGS_MS);
    const { result, ...met } = await failWhile(this.served.pid, call, await this.#request(asked));
    clearTimeout(hung);
    return { outcome: result, ...met };
  }

  async #request({ send }: Asked): Promise<() => Promise<Outcome>> {
    // Read before, because it is no part of the request.
    const { seq } = await this.client().getCheckpoint(this.thread);
    return async () => {
      try {
        const { turn_id, files_kept, taken_back } = await send(this);
        if (turn_id !== undefined) await this.served.ended(this.thread, turn_id, seq);
        const kept = files_kept ?? taken_back?.files_kept ?? [];
        // Files are flushed after the answer. The next holder of the workspace waits for the flush, and may meet the
        // failure.
        await this.client()
          .undo(this.thread, { dry_run: true })
          .catch((error) => {
            if (!(error instanceof ApiError)) throw error;
          });
        return { kind: "done", kept: kept.map(({ path }) => path) };
      } catch (error) {
        if (error instanceof ApiError)
          return { kind: "failed", status: error.status, code: error.code, message: error.message };
        return { kind: (await this.served.died()) ? "died" : "lost" };
      }
    };
  }

  /** Whether the last turn went wrong: then the failure met the turn that a retry had begun, and not the request. */
  async lastTurnFailed(): Promise<boolean> {
    const { turns } = await this.client().listTurns(this.thread);
    // One that was not started is listed after all others for as long as the server runs.
    const last = turns.findLast(({ status }) => status !== "not-started");
    if (last?.status !== "finished") return true;
    const { entries } = await this.client().listEntries(this.thread);
    return entries.some(({ turn_id, tool_result }) => turn_id === last.id && tool_result?.["status"] === "failed");
  }

  async look(): Promise<Seen> {
    const read = async (path: string) => {
      const headers = { authorization: `Bearer ${this.served.token}` };
      const response = await fetch(`${this.served.url}${path}`, { headers });
      const text = await response.text();
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
      return text;
    };
    return {
      entries: await read(`/v1/threads/${this.thread}/entries`),
      threads: await read("/v1/threads"),
      history: await read(`/v1/threads/${this.thread}/history?all=true`),
      files: filesIn(this.served.place.root),
    };
  }

  #write(path: string, content: string): void {
    mkdirSync(dirname(join(this.served.place.root, path)), { recursive: true });
    writeFileSync(join(this.served.place.root, path), content);
  }
}

export function shapeOf({ entries, files }: Seen): Shape {
  const list = (JSON.parse(entries) as { entries: { role: string; content: string }[] }).entries;
  // A directory that a capture could not read stays when its content goes.
  const real = Object.fromEntries(Object.entries(files).filter(([, content]) => content !== DIRECTORY));
  return { files: real, entries: list.map(({ role, content }) => [role, content] as const) };
}

/** Longer than any request or turn here takes, including waits and retries. */
const HANGS_MS = 60_000;

const DIRECTORY = "<a directory>";

const PROMPT = [
  "run sed -i 5s/.*/changed/ src/file-0.txt src/file-1.txt",
  "delete src/file-2.txt",
  "run mv src/file-3.txt moved.txt",
  "write new/deep/made.txt: made",
  "append notes.txt: second",
].join("\n");

/** Every file with its content, and every directory. */
function filesIn(root: string): Record<string, string> {
  const found = readdirSync(root, { recursive: true, withFileTypes: true }).map((each) => {
    const path = join(each.parentPath, each.name);
    return [path.slice(root.length + 1), each.isFile() ? readFileSync(path, "utf8") : DIRECTORY] as const;
  });
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}
