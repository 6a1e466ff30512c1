/** One line of code in light colours: comments, strings and the words that most languages share. Nothing is parsed. */
import { type Line, type Span, span } from "../draw/line.ts";

const KEYWORDS = new Set(
  (
    "abstract as async await break case catch class const continue def default delete do elif else end enum export extends " +
    "false final finally fn for foreach from func function if impl import in interface is lambda let match mod module mut " +
    "new nil none None not null of or package pass private protected pub public raise return self static struct super " +
    "switch this throw throws trait true True False try type typeof undefined use using var void while with yield then fi done esac"
  ).split(" "),
);

const HASH = new Set(["sh", "bash", "zsh", "py", "python", "rb", "ruby", "yaml", "yml", "toml", "make", "dockerfile"]);
const TOKENS = /\/\/.*$|#.*$|\/\*.*?\*\/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|[A-Za-z_$][\w$]*/g;

export function codeLine(text: string, language: string): Line {
  if (language === "diff" || language === "patch") return [diffSpan(text)];
  const spans: Span[] = [];
  let at = 0;
  for (const match of text.matchAll(TOKENS)) {
    const [token] = match;
    if (match.index < at) continue;
    const tone = toneOf(token, language);
    if (tone === undefined) continue;
    if (match.index > at) spans.push(span(text.slice(at, match.index)));
    spans.push(span(token, tone));
    at = match.index + token.length;
  }
  if (at < text.length) spans.push(span(text.slice(at)));
  return spans;
}

/** A line of a diff in the tone of its sign. */
export function diffSpan(text: string): Span {
  if (text.startsWith("@@")) return span(text, "accent");
  if (text.startsWith("+")) return span(text, "added");
  if (text.startsWith("-")) return span(text, "removed");
  return span(text, text.startsWith("\\") ? "quiet" : "plain");
}

function toneOf(token: string, language: string): Span["tone"] | undefined {
  if (token.startsWith("//") || token.startsWith("/*")) return "quiet";
  if (token.startsWith("#")) return HASH.has(language.toLowerCase()) ? "quiet" : undefined;
  if (/^["'`]/.test(token)) return "string";
  return KEYWORDS.has(token) ? "keyword" : undefined;
}
