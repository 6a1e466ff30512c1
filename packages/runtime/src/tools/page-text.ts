/**
 * The text of a web page, for a model: without scripts, styles and markup, one block a line. It understands no page
 * fully, and need not: what it cannot take apart stays as text.
 */
export function pageText(html: string): string {
  const body = html
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "")
    .replaceAll(/<(script|style|noscript|template|svg|head)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, (all, tag: string) =>
      tag.toLowerCase() === "head" ? titleIn(all) : "",
    )
    .replaceAll(
      /<\/?(?:p|div|br|li|ul|ol|h[1-6]|tr|table|section|article|header|footer|pre|blockquote)\b[^>]*>/gi,
      "\n",
    )
    .replaceAll(/<[^>]*>/g, "");
  return decoded(body)
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n ?/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

function titleIn(head: string): string {
  const title = /<title\b[^>]*>([\s\S]*?)<\/title/i.exec(head)?.[1];
  return title === undefined ? "" : `${title}\n\n`;
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
