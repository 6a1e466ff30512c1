import type { ToolCall } from "@retake/core";

const MOST_LINES = 60;

/** The change that a `write` or an `edit` makes, from what it was asked to do: lines that go, lines that come. */
export function ChangeView({ call }: { readonly call: Pick<ToolCall, "name" | "input"> }) {
  const { name, input } = call;
  const text = (key: string) => (typeof input[key] === "string" ? (input[key] as string) : "");
  if (name === "write") return <ChangeLines before="" after={text("content")} />;
  if (name === "edit") return <ChangeLines before={text("old_text")} after={text("new_text")} />;
  if (name === "bash" && text("command").includes("\n")) return <pre className="output">{text("command")}</pre>;
  return null;
}

/** Lines with a sign each, so that colour is never alone. */
export function ChangeLines({ before, after }: { readonly before: string; readonly after: string }) {
  const lines = [
    ...linesOf(before).map((text) => ({ sign: "-", text })),
    ...linesOf(after).map((text) => ({ sign: "+", text })),
  ];
  const shown = lines.slice(0, MOST_LINES);
  return <SignedLines lines={shown} left={lines.length - shown.length} />;
}

/** Lines of a unified diff, as the server previews a question. */
export function PatchLines({ patch }: { readonly patch: string }) {
  const lines = linesOf(patch).map((line) => ({ sign: line.slice(0, 1), text: line.slice(1) }));
  const shown = lines.slice(0, MOST_LINES);
  return <SignedLines lines={shown} left={lines.length - shown.length} />;
}

function SignedLines({
  lines,
  left,
}: {
  readonly lines: readonly { readonly sign: string; readonly text: string }[];
  readonly left: number;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls long lines
    <pre className="change-lines" tabIndex={0}>
      {lines.map(lineView)}
      {left > 0 && <span className="text-muted">{`… ${left} more lines`}</span>}
    </pre>
  );
}

function lineView({ sign, text }: { readonly sign: string; readonly text: string }, index: number) {
  return (
    <span key={index} className={sign === "+" ? "added" : sign === "-" ? "removed" : ""}>
      {`${sign} ${text}\n`}
    </span>
  );
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
