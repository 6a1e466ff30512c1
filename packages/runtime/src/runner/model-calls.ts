import type { Action, ModelPart, OverBudget } from "@retake/core";
import type { ModelEnd } from "../model/model.ts";
import { attachedContents } from "./attach-context.ts";
import { imagesOf, modelRequest } from "./model-request.ts";
import { PartGatherer } from "./part-gatherer.ts";
import type { TurnAccess } from "./turn-access.ts";

/** Calls the model for a turn, and reports its answer as it arrives. */
export class ModelCalls {
  readonly #access: TurnAccess;
  /** Collects the latest output of the model. */
  #gatherer: PartGatherer | undefined;
  /** Fingerprint of the messages of the last request. */
  prefix: string | undefined;

  constructor(access: TurnAccess) {
    this.#access = access;
  }

  /** Reports the collected parts: must be called before anything ends the answer they belong to. */
  flush(): void {
    this.#gatherer?.flush();
  }

  async call(action: Extract<Action, { kind: "call-model" }>, signal: AbortSignal): Promise<void> {
    const { turn_id, step, attempt, entry_id } = action;
    const { request: asked, parts, tell } = this.#access;
    const { model } = asked;
    const work = { turn_id, step, attempt };
    const problem = parts.budget.problem();
    if (problem !== undefined) {
      const { message } = problem;
      const ask = asked.questions === false ? {} : { over_budget: problem };
      return this.#fail(work, { code: "over-budget", message, ...ask });
    }
    const gatherer = new PartGatherer((part) => tell({ kind: "model-part-received", ...work, part }));
    this.#gatherer = gatherer;
    const { content, images, sent } = this.#prepare(action);
    tell({ kind: "request-sent", ...work, sent });
    const tools = parts.tools.map(({ name, description, input }) => ({ name, description, input }));
    const request = { ...content, step, tools };
    this.#access.log({ kind: "request", ...work, model: model.name, request });
    const said = { thinking: "", text: "" };
    const end = await lastOf(model.stream({ ...request, images, signal }), (part) => {
      if (signal.aborted) return;
      const at = said[part.kind].length;
      said[part.kind] += part.text;
      gatherer.add(part);
      // Watchers get the text at once; commits collect it first.
      if (part.text !== "") asked.onEvent({ type: part.kind, entry: entry_id, at, text: part.text });
    });
    gatherer.flush();
    if (signal.aborted) return;
    this.#access.log({ kind: "response", ...work, model: model.name, response: { ...said, end } });
    if (end.kind === "responded") {
      const { stop, calls, usage } = end;
      parts.budget.add(usage);
      if (step === 1 && stop === "end" && calls.length === 0 && said.text.trim() === "")
        return this.#fail(work, { code: "empty-answer", message: "The model answered with nothing." });
      tell({ kind: "model-responded", ...work, stop, calls, usage, at: this.#access.now() });
    } else {
      const { kind: _, ...failure } = end;
      this.#fail(work, failure);
    }
  }

  #fail(
    work: { readonly turn_id: string; readonly step: number; readonly attempt: number },
    failure: Omit<Extract<ModelEnd, { kind: "failed" }>, "kind"> & { readonly over_budget?: OverBudget },
  ): void {
    const { tell } = this.#access;
    tell({ kind: "model-failed", ...work, ...failure, at: this.#access.now(), jitter: this.#access.chance() });
  }

  #prepare({ without_thinking, without_images }: Extract<Action, { kind: "call-model" }>) {
    const withoutThinking = without_thinking ?? false;
    const { request, take, parts } = this.#access;
    const prepared = this.#access.read((state) => {
      const { facts } = parts;
      const { attachments } = parts.context;
      const attached = attachedContents(state, take, parts.context);
      const prepared = modelRequest(state, take, { model: request.model.name, withoutThinking, attached, facts });
      const bytes = (digest: string) => (without_images ? undefined : attachments.bytes(digest));
      return { ...prepared, images: imagesOf(prepared.content, bytes) };
    });
    this.prefix = prepared.projection.fingerprint;
    return prepared;
  }
}

/** Passes on the parts of an answer, and returns how it ended. */
export async function lastOf(
  stream: AsyncIterable<ModelPart | ModelEnd>,
  each: (part: ModelPart) => void,
): Promise<ModelEnd> {
  const failed = (message: string): ModelEnd => ({ kind: "failed", code: "network", message });
  try {
    for await (const part of stream) {
      if (part.kind === "responded" || part.kind === "failed") return part;
      each(part);
    }
    return failed("The model stopped in the middle of its answer.");
  } catch (error) {
    return failed((error as Error).message);
  }
}
