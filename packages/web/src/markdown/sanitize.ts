/**
 * The one place where text becomes HTML. `marked` renders Markdown, DOMPurify removes everything that could act, and the
 * page's policy (trusted types) lets no other HTML in. Images are never loaded from elsewhere: they become links.
 */
import DOMPurify from "dompurify";
import { marked } from "marked";

const ALLOWED = {
  ALLOWED_TAGS: [
    ...[
      "p",
      "br",
      "hr",
      "h1",
      "h2",
      "h3",
      "h4",
      "h5",
      "h6",
      "blockquote",
      "ul",
      "ol",
      "li",
      "a",
      "em",
      "strong",
      "del",
    ],
    ...["code", "pre", "table", "thead", "tbody", "tr", "th", "td", "input", "sup", "sub", "kbd", "details", "summary"],
  ],
  ALLOWED_ATTR: ["href", "title", "align", "start", "type", "checked", "disabled", "class", "colspan", "rowspan"],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  // Their values are no addresses, and are not compared with the expression above.
  ADD_URI_SAFE_ATTR: ["align", "start", "type", "colspan", "rowspan"],
  RETURN_TRUSTED_TYPE: true,
};

const SIDED: ReadonlySet<string> = new Set(["UL", "OL", "BLOCKQUOTE", "TABLE"]);

DOMPurify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName === "A") {
    node.setAttribute("rel", "noopener noreferrer nofollow");
    node.setAttribute("target", "_blank");
  }
  if (node.tagName === "INPUT") {
    node.setAttribute("disabled", "");
    node.setAttribute("aria-label", node.hasAttribute("checked") ? "done" : "not done");
    if (node.getAttribute("type") !== "checkbox") node.remove();
  }
  // Bullets, bars and columns stand on the side where the text begins.
  if (SIDED.has(node.tagName)) node.setAttribute("dir", "auto");
  // A keyboard scrolls wide tables.
  if (node.tagName === "TABLE") node.setAttribute("tabindex", "0");
  // Only what `marked` itself writes for the language of a block of code.
  const given = node.getAttribute("class");
  if (given !== null && !/^language-[\w+#.-]{1,40}$/.test(given)) node.removeAttribute("class");
});

marked.use({
  renderer: {
    image: ({ href, text }) => `<a href="${escaped(href)}">${escaped(text || href)}</a>`,
  },
});

/** HTML for a block of Markdown, safe to show. */
export function safeHtml(markdown: string): string {
  const html = marked.parse(markdown, { async: false, gfm: true, breaks: false });
  return DOMPurify.sanitize(html, ALLOWED) as unknown as string;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
