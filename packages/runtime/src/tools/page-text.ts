/**
 * The text of a web page, for a model: without scripts, styles and markup, one block a line. It understands no page
 * fully, and need not: markup that it cannot take apart stays as text.
 */
export function pageText(html: string): string {
  const visible = html
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "")
    .replaceAll(/<(script|style|noscript|template|svg|head)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, (all, tag: string) =>
      tag.toLowerCase() === "head" ? titleIn(all) : "",
    );
  return decoded(replaceTags(replaceTags(visible, BLOCK, "\n"), ANY, ""))
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n ?/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

const BLOCK = /<\/?(?:p|div|br|li|ul|ol|h[1-6]|tr|table|section|article|header|footer|pre|blockquote)\b[^>]*>/gi;
const ANY = /<[^>]*>/g;

/** After the last `>` no tag ends. A search there would run to the end of the page from every single `<`. */
function replaceTags(html: string, tag: RegExp, replacement: string): string {
  const end = html.lastIndexOf(">") + 1;
  return html.slice(0, end).replaceAll(tag, replacement) + html.slice(end);
}

/** The first `<title>` decides: where nothing closes it, nothing closes a later one. */
function titleIn(head: string): string {
  const open = /<title\b[^>]*>/i.exec(head.slice(0, head.lastIndexOf(">") + 1));
  const rest = open ? head.slice(open.index + open[0].length) : "";
  const length = rest.search(/<\/title/i);
  return length < 0 ? "" : `${rest.slice(0, length)}\n\n`;
}

const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", copy: "©", hellip: "…" },
  ...{ ndash: "–", mdash: "—", lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", bull: "•" },
};

function decoded(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,10}));/gi, (all, decimal, hexadecimal, name) => {
    if (typeof name === "string") return NAMED[name.toLowerCase()] ?? all;
    const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hexadecimal), 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : all;
  });
}
