import { callDiff, plural, visible } from "@retake/client/screen";
import type { ToolCall } from "@retake/core";
import { useOpen } from "./use-open.ts";

const MOST_LINES = 60;

/** The change that a `write` or an `edit` makes, from what it was asked to do; of a long one, the beginning until more is wanted. */
export function ChangeView({ call, row }: { readonly call: Pick<ToolCall, "name" | "input">; readonly row: string }) {
  const [all, setAll] = useOpen(`${row} change`, false);
  const lines = callDiff(call.name, call.input);
  const { command } = call.input;
  if (call.name === "bash" && typeof command === "string" && command.includes("\n"))
    return <pre className="output">{visible(command)}</pre>;
  if (lines.length === 0) return null;
  return (
    <>
      <ChangeLines lines={all ? lines : lines.slice(0, MOST_LINES)} />
      {!all && lines.length > MOST_LINES && (
        <button type="button" className="fact-button" onClick={() => setAll(true)}>
          {`Show all ${plural(lines.length, "line")} of the change`}
        </button>
      )}
    </>
  );
}

/** Lines of a diff, all of them. Each begins with its sign, so that colour is never alone. */
export function ChangeLines({ lines }: { readonly lines: readonly string[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls long lines
    <pre className="change-lines" tabIndex={0}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a call never move
        <span key={index} className={line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : ""}>
          {visible(`${line}\n`)}
        </span>
      ))}
    </pre>
  );
}
