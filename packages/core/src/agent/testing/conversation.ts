import type { RecordEffect } from "../effect.ts";

type Written = { text: string; outcome?: string; attempt?: number; calls: number };

/** The entries that a reader finds: a naive fold of the records. */
export class Conversation {
  readonly order: string[] = [];
  readonly steps = new Map<string, Written>();
  readonly results = new Map<string, string>();
  readonly turns = new Map<string, string>();

  keep(record: RecordEffect): void {
    switch (record.kind) {
      case "record-turn-started":
        this.order.push(record.entry_id);
        this.turns.set(record.turn_id, "running");
        return;
      case "record-step-part": {
        const step = this.step(record.entry_id);
        if (record.part.kind === "text") step.text += record.part.text;
        step.attempt = record.attempt;
        return;
      }
      case "record-step-discarded":
        this.step(record.entry_id).text = "";
        return;
      case "record-step-finished": {
        const { outcome, calls } = record;
        Object.assign(this.step(record.entry_id), { outcome, calls: calls.length });
        return;
      }
      case "record-tool-pending":
        this.order.push(record.entry_id);
        this.results.set(record.entry_id, "pending");
        return;
      case "record-tool-started":
        this.results.set(record.entry_id, "running");
        return;
      case "record-tool-ended":
        this.results.set(record.entry_id, record.outcome);
        return;
      case "record-turn-finished":
        this.turns.set(record.turn_id, record.status);
        return;
      case "record-agent":
      case "record-request":
      case "record-tool-progress":
        return;
    }
  }

  /** The answer of the simulated model in an attempt, piece by piece. The text of every attempt is different. */
  static answerOf(turnId: string, step: number, attempt: number): string[] {
    return ["one", "two", "three"].map((word) => `${turnId}/${step}/${attempt}:${word} `);
  }

  private step(entryId: string): Written {
    const there = this.steps.get(entryId);
    if (there) return there;
    const step: Written = { text: "", calls: 0 };
    this.order.push(entryId);
    this.steps.set(entryId, step);
    return step;
  }
}
