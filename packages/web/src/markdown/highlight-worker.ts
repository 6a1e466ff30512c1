/** Colours code off the main thread. Answers lines of tokens, each a text and the name of its colour. */
import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";

export interface HighlightRequest {
  readonly id: number;
  readonly language: string;
  readonly code: string;
}

export interface HighlightAnswer {
  readonly id: number;
  readonly lines: readonly (readonly [text: string, color: string])[][] | undefined;
}

const LANGUAGES: Readonly<Record<string, () => Promise<unknown>>> = {
  bash: () => import("shiki/langs/bash.mjs"),
  c: () => import("shiki/langs/c.mjs"),
  css: () => import("shiki/langs/css.mjs"),
  diff: () => import("shiki/langs/diff.mjs"),
  go: () => import("shiki/langs/go.mjs"),
  html: () => import("shiki/langs/html.mjs"),
  java: () => import("shiki/langs/java.mjs"),
  javascript: () => import("shiki/langs/javascript.mjs"),
  json: () => import("shiki/langs/json.mjs"),
  markdown: () => import("shiki/langs/markdown.mjs"),
  python: () => import("shiki/langs/python.mjs"),
  ruby: () => import("shiki/langs/ruby.mjs"),
  rust: () => import("shiki/langs/rust.mjs"),
  sql: () => import("shiki/langs/sql.mjs"),
  toml: () => import("shiki/langs/toml.mjs"),
  tsx: () => import("shiki/langs/tsx.mjs"),
  typescript: () => import("shiki/langs/typescript.mjs"),
  yaml: () => import("shiki/langs/yaml.mjs"),
};

const ALIASES: Readonly<Record<string, string>> = {
  ...{ sh: "bash", shell: "bash", zsh: "bash", js: "javascript", jsx: "tsx", mjs: "javascript", cjs: "javascript" },
  ...{ ts: "typescript", mts: "typescript", py: "python", rb: "ruby", rs: "rust", yml: "yaml", md: "markdown", h: "c" },
};

const theme = createCssVariablesTheme({ name: "page", variablePrefix: "--code-", fontStyle: false });
let highlighter: Promise<HighlighterCore> | undefined;

addEventListener("message", async ({ data }: MessageEvent<HighlightRequest>) => {
  const { id, language, code } = data;
  let lines: HighlightAnswer["lines"];
  try {
    lines = await tokensOf(language, code);
  } catch {
    // Code that cannot be coloured is shown plain.
  }
  postMessage({ id, lines } satisfies HighlightAnswer);
});

async function tokensOf(given: string, code: string): Promise<HighlightAnswer["lines"]> {
  const lang = ALIASES[given.toLowerCase()] ?? given.toLowerCase();
  const load = LANGUAGES[lang];
  if (!load) return undefined;
  highlighter ??= createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const made = await highlighter;
  if (!made.getLoadedLanguages().includes(lang)) await made.loadLanguage(load() as never);
  const { tokens } = made.codeToTokens(code, { lang, theme: "page", tokenizeMaxLineLength: 2000 });
  return tokens.map((line) => line.map(({ content, color = "" }) => [content, colorName(color)] as const));
}

/** `var(--code-token-keyword)` is the class `keyword`. */
function colorName(color: string): string {
  return /--code-token-([a-z-]+)/.exec(color)?.[1] ?? "";
}
