import { preview } from "@retake/core";
import { Markdown } from "../markdown/markdown.tsx";
import { Icon } from "./icon.tsx";

/** Rows of a conversation, only to be read: at a past moment, or in another take. */
export function ReadText({ role, content }: { readonly role: string; readonly content: string }) {
  if (content === "") return null;
  return (
    <div className="read-text">
      <p className="read-role">{role}</p>
      <Markdown text={content} />
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
