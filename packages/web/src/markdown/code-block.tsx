import { memo, useEffect, useState } from "react";
import { Icon } from "../parts/icon.tsx";
import { type CodeLines, highlight } from "./highlight.ts";

/** A block of code, plain at first and coloured as soon as it is complete. */
export const CodeBlock = memo(function CodeBlock({
  language,
  text,
  done,
}: {
  readonly language: string;
  readonly text: string;
  readonly done: boolean;
}) {
  const [lines, setLines] = useState<CodeLines>();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    let gone = false;
    setLines(undefined);
    if (done)
      void highlight(language, text).then((made) => {
        if (!gone) setLines(made);
      });
    return () => {
      gone = true;
    };
  }, [language, text, done]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <figure className="code-block">
      <figcaption>
        <span>{language || "text"}</span>
        <button
          type="button"
          className="icon-button"
          aria-label={copied ? "Copied" : "Copy the code"}
          onClick={() => void copy()}
        >
          <Icon name={copied ? "check" : "copy"} />
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls long lines */}
      <pre tabIndex={0}>
        <code>{lines ? lines.map(lineView) : text}</code>
      </pre>
    </figure>
  );
});

function lineView(line: CodeLines[number], index: number) {
  return <Line key={index} line={line} />;
}

function Line({ line }: { readonly line: CodeLines[number] }) {
  let at = 0;
  return (
    <>
      {line.map(([text, color]) => {
        at += text.length + 1;
        return (
          <span key={at} className={color === "" ? undefined : `token-${color}`}>
            {text}
          </span>
        );
      })}
      {"\n"}
    </>
  );
}
