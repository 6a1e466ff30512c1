import type { AgentEvent, State, TakeId } from "@retake/core";
import type { CommsLine } from "./comms-log.ts";
import { ioError } from "./io-error.ts";
import type { TurnParts, TurnRequest } from "./turn.ts";

/** A line of the communication log without its time. */
type Undated = CommsLine extends infer Line ? (Line extends CommsLine ? Omit<Line, "at"> : never) : never;

/** The dependencies of a turn's work: its thread and take, its log, and the receiver of its events. */
export class TurnAccess {
  readonly parts: TurnParts;
  readonly request: TurnRequest;
  readonly take: TakeId;
  readonly tell: (event: AgentEvent) => void;

  constructor(parts: TurnParts, request: TurnRequest, take: TakeId, tell: (event: AgentEvent) => void) {
    this.parts = parts;
    this.request = request;
    this.take = take;
    this.tell = tell;
  }

  get root(): string {
    return Buffer.from(this.parts.workspace.root, "latin1").toString("utf8");
  }

  chance(): number {
    return this.parts.identity.chance();
  }

  now(): number {
    return this.parts.identity.now();
  }

  read<T>(look: (state: State) => T): T {
    return this.parts.store.read(this.request.thread, ({ state }) => look(state));
  }

  log(line: Undated): void {
    this.parts.comms.append(this.request.thread, { at: new Date(this.now()).toISOString(), ...line } as CommsLine);
  }

  ioFailed({ turn_id, step }: { readonly turn_id: string; readonly step: number }, error: unknown): void {
    this.tell({ kind: "io-failed", turn_id, step, ...ioError(error), at: this.now(), jitter: this.chance() });
  }
}
