import { memo, useLayoutEffect, useMemo, useRef } from "react";
import { type Block, blocksOf } from "./blocks.ts";
import { CodeBlock } from "./code-block.tsx";
import { safeHtml } from "./sanitize.ts";

/** Rendered Markdown. While the text grows, only its last block is rendered again. */
export const Markdown = memo(function Markdown({
  text,
  finished = true,
}: {
  readonly text: string;
  readonly finished?: boolean;
}) {
  const blocks = useMemo(() => blocksOf(text, finished), [text, finished]);
  return <div className="prose">{blocks.map(blockView)}</div>;
});

/** Blocks are only added at the end, so a block's number is its name. */
function blockView(block: Block, index: number) {
  const { text, code, done } = block;
  return <BlockView key={index} text={text} code={code?.text} language={code?.language} done={done} />;
}

const BlockView = memo(function BlockView({
  text,
  code,
  language,
  done,
}: {
  readonly text: Block["text"];
  readonly code: string | undefined;
  readonly language: string | undefined;
  readonly done: boolean;
}) {
  if (code !== undefined) return <CodeBlock language={language ?? ""} text={code} done={done} />;
  return <Html markdown={text} />;
});

function Html({ markdown }: { readonly markdown: string }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (element.current) element.current.innerHTML = safeHtml(markdown);
  }, [markdown]);
  return <div ref={element} />;
}
