import { type Line, lineWidth, span } from "../draw/line.ts";

/** The takes in one line. The active one is always seen, with as many of its neighbours as have room; `…` stands for the others. */
export function takeTabs(
  takes: readonly { readonly id: string; readonly name: string }[],
  active: string,
  width: number,
): Line {
  if (takes.length < 2) return [];
  const at = Math.max(
    0,
    takes.findIndex(({ id }) => id === active),
  );
  const tabs = takes.map(({ id, name }) =>
    span(` ${name}${id === active ? "●" : ""} `, id === active ? "accent" : "quiet"),
  );
  let [first, last] = [at, at];
  const made = (from: number, to: number): Line => [
    span(from > 0 ? "  … " : "  ", "quiet"),
    ...tabs.slice(from, to + 1).flatMap((tab, index) => (index === 0 ? [tab] : [span("│", "quiet"), tab])),
    span(to < tabs.length - 1 ? " …" : "", "quiet"),
  ];
  for (let grows = true; grows; ) {
    grows = false;
    for (const [from, to] of [
      [first - 1, last],
      [first, last + 1],
    ] as const) {
      if (from < 0 || to >= tabs.length || lineWidth(made(from, to)) > width) continue;
      [first, last, grows] = [from, to, true];
      break;
    }
  }
  return made(first, last);
}
