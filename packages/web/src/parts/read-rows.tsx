import { type Entry, preview } from "@retake/core";
import { Markdown } from "../markdown/markdown.tsx";
import { Icon } from "./icon.tsx";
import { sidesOf } from "./sides-of.ts";

/** Rows of a conversation, only to be read: at a past moment, or in another take. */
export function ReadText({
  entry: { role, content, read_mode },
}: {
  readonly entry: Pick<Entry, "role" | "content" | "read_mode">;
}) {
  if (content === "") return null;
  return (
    <div className="read-text">
      <p className="read-role">{role}</p>
      {read_mode ? <Markdown text={content} /> : <p className={`plain ${sidesOf(content)}`}>{content}</p>}
    </div>
  );
}

/** A tool call with its output, folded. */
export function ReadCall({ summary, output }: { readonly summary: string; readonly output: string }) {
  return (
    <details className="read-call">
      <summary>
        <Icon name="tool" />
        <span className="truncate">{summary}</span>
        <span className="text-muted truncate">{preview({ content: output }, 40)}</span>
      </summary>
      {output !== "" && <pre className="output">{output}</pre>}
    </details>
  );
}
