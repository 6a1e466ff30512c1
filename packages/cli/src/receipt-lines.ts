import { fileCount } from "@retake/client/screen";
import type { ReceiptEffect, TurnReceipt } from "@retake/core";
import { cut } from "@retake/tui/text";
import type { Output } from "./output.ts";

/** The effects of a turn besides its text, and which of them no undo takes back, in a few lines. */
export function* receiptLines(
  output: Output,
  receipt: TurnReceipt,
  nameOf: (entry: string) => string,
): Iterable<string> {
  const { files_changed: changed, ignored_changed: ignored, uncovered_changed: uncovered, omitted } = receipt;
  const effects = receipt.effects.map((effect) =>
    effect.entry === undefined ? effect : { ...effect, name: nameOf(effect.entry) },
  );
  if (changed.length > 0) {
    const besides = ignored.length > 0 ? ` (${fileCount(ignored, omitted)} ignored by git)` : "";
    yield output.style("dim", pathsLine(output, `${fileCount(changed, omitted)} changed${besides}`, changed));
  }
  yield* stayingLines(output, { effects, uncovered, omitted }, "cannot be taken back");
}

interface NamedEffect extends Pick<ReceiptEffect, "tool" | "what"> {
  /** The name of the call. */
  readonly name?: string | undefined;
}

/** X8: each of what stays done. */
export function* stayingLines(
  output: Output,
  stays: { readonly effects: readonly NamedEffect[]; readonly uncovered: readonly string[]; readonly omitted?: number },
  how: string,
): Iterable<string> {
  const mark = output.style("red", "!");
  for (const { tool, what, name } of stays.effects)
    yield cut(`${mark} ${how}: ${what} (${[...(name === undefined ? [] : [name]), tool].join(" ")})`, output.width);
  if (stays.uncovered.length > 0)
    yield pathsLine(
      output,
      `${mark} ${how}, in no capture: ${fileCount(stays.uncovered, stays.omitted ?? 0)}`,
      stays.uncovered,
    );
}

function pathsLine(output: Output, text: string, paths: readonly string[]): string {
  const shown = paths.slice(0, 5).join(", ");
  return cut(`${text}: ${shown}${paths.length > 5 ? " …" : ""}`, output.width);
}
