/** A plan before it is carried out, with its conflicts and their sides. */
import { CONFLICTS, planCounts, planLines, resolutionsOf, type Use } from "@retake/client/screen";
import { type Line, line, span, type Tone, wrapLine } from "../draw/line.ts";
import { diffSpan } from "../markdown/code-line.ts";
import type { Model, PlanPlace } from "../model/model.ts";
import type { Hint } from "./hint-line.ts";
import { placeFooter, titleLine } from "./place-frame.ts";
import { folded } from "./row-lines.ts";
import type { View } from "./view.ts";

const TONES: Readonly<Record<string, Tone>> = {
  conflict: "error",
  stays: "warning",
  uncovered: "warning",
  kept: "warning",
  merged: "warning",
  restored: "good",
  removed: "removed",
};

export function planLayout(model: Model, place: PlanPlace) {
  const { columns, rows } = model.size;
  const { plan, request, decisions } = place;
  const conflicts = plan?.conflicts ?? [];
  const decided = plan ? resolutionsOf(plan, decisions).length : 0;
  const isDecided = decided === conflicts.length;
  const hints: Hint[] = [
    ...(isDecided ? ([["Enter", "do it"]] as const) : []),
    ...(conflicts.length > 0
      ? ([
          ["1", "keep mine"],
          ["2", "take theirs"],
          ["3", "both, marked"],
          ["e", "edit"],
          ...(conflicts.length > 1 ? ([["M T", "all mine, all theirs"]] as const) : []),
        ] as const)
      : []),
    ...(request.hasScope ? ([["Tab", "scope"]] as const) : []),
    ["Esc", columns < 40 ? "leave" : "nothing changes"],
  ];
  const footer = placeFooter(model, hints, columns);
  const room = Math.max(1, rows - 1 - footer.length);
  const body = plan ? planBody(place, columns - 2) : [line(span("Looking what it would do …", "quiet"))];
  // A small terminal has no room for empty lines.
  const lines = rows < 16 ? body.filter(({ length }) => length > 0) : body;
  const state = conflicts.length > 0 ? `${decided} of ${conflicts.length} decided, nothing has changed yet` : "preview";
  const title = titleLine(request.title, state, columns);
  return { title, lines, footer, room, lastScroll: Math.max(0, lines.length - room) };
}

export function planView(model: Model, place: PlanPlace): View {
  const { title, lines, footer, room, lastScroll } = planLayout(model, place);
  const start = Math.min(place.scroll, lastScroll);
  const shown = lines.slice(start, start + room).map((each): Line => [span(" "), ...each]);
  while (shown.length < room) shown.push([]);
  return {
    lines: [title, ...shown, ...footer],
    cursor: undefined,
    hits: [],
  };
}

function planBody(place: PlanPlace, width: number): Line[] {
  const { plan = {}, request } = place;
  const scope = String(request.body["scope"] ?? "both");
  const counts = planCounts(plan);
  const scopes = request.hasScope
    ? [
        line(
          ...["both", "conversation", "files"].map((each) =>
            span(
              ` ${each === "both" ? (width < 56 ? "both" : "conversation and files") : width < 56 ? each : `${each} only`} `,
              each === scope ? "selected" : "quiet",
            ),
          ),
        ),
      ]
    : [];
  const entries = (plan.entries ?? []).map(({ name, role, preview, becomes }) =>
    line(
      span(`${becomes.padEnd(10)}`, "quiet"),
      span(`${name} ${role}: `, "accent"),
      span(preview.replace(/\s+/g, " ") || "(calls of tools)", becomes === "removed" ? "struck" : "plain"),
    ),
  );
  const files = planLines(plan)
    .filter(({ kind }) => kind !== "conflict")
    .map(({ kind, subject, reason }) => {
      const why =
        kind === "stays"
          ? ` cannot be taken back (${reason})`
          : kind === "uncovered"
            ? " was changed and is in no capture"
            : reason === undefined
              ? ""
              : ` (${reason})`;
      return line(span(kind.padEnd(10), TONES[kind] ?? "plain"), span(subject), span(why, "quiet"));
    });
  return [
    [],
    ...scopes,
    ...(scopes.length > 0 ? [[]] : []),
    ...wrapLine(line(span(plan.description ?? "", "strong"), span(counts === "" ? "" : `  ${counts}`, "quiet")), width),
    [],
    ...conflictLines(place, width),
    ...files.flatMap((each) => wrapLine(each, width, [span(" ".repeat(10))])),
    ...(entries.length > 0 ? [[], ...entries.flatMap((each) => wrapLine(each, width, [span(" ".repeat(10))]))] : []),
  ];
}

/** Lines of each side of a conflict: `e` shows all. */
const MOST_SIDE = 12;
const USES = { mine: "keep mine", theirs: "take theirs", merged: "both, between markers" } as const;

function conflictLines({ plan, decisions, selected }: PlanPlace, width: number): Line[] {
  const conflicts = plan?.conflicts ?? [];
  if (conflicts.length === 0) return [];
  const list = conflicts.flatMap(({ path, kind, name }, at) => {
    const use = decisions.get(path)?.use;
    const words = line(
      span(at === selected ? "▌" : " ", "accent"),
      span(use === undefined ? "? " : "✓ ", use === undefined ? "error" : "good"),
      span(name ?? path, at === selected ? "strong" : "plain"),
      span(`  ${CONFLICTS[kind] ?? kind}`, "quiet"),
      span(use === undefined ? "" : `  → ${wordsFor(use)}`, "good"),
    );
    return wrapLine(words, width, [span("   ")]);
  });
  const chosen = conflicts[selected];
  const sides = chosen?.sides;
  const side = (title: string, content: string | undefined): Line[] =>
    content === undefined
      ? []
      : [
          line(span(title, "strong")),
          ...folded(content.replace(/\n$/, "").split("\n"), MOST_SIDE, "start").flatMap((each) =>
            wrapLine([span(`  ${each}`)], width, [span("  ")]),
          ),
        ];
  const hunks =
    sides?.hunks?.flatMap((hunk) => [
      line(span(`@@ line ${hunk.old_start} @@`, "accent")),
      ...hunk.lines.map((each): Line => [diffSpan(each)]),
    ]) ?? [];
  return [
    ...list,
    [],
    ...side("1 Mine: what is there now", contentOf(sides?.mine)),
    ...side("2 Theirs: what would come", contentOf(sides?.theirs)),
    ...side("  Before both of them", contentOf(sides?.base)),
    ...(hunks.length > 0 ? [line(span("  From mine to theirs", "strong")), ...hunks] : []),
    [],
  ];
}

function contentOf(
  side:
    | {
        readonly kind: string;
        readonly encoding?: string | undefined;
        readonly content?: string | undefined;
        readonly size?: number | undefined;
      }
    | null
    | undefined,
): string | undefined {
  if (side === undefined) return undefined;
  if (side === null) return "(no file)";
  return side.encoding === "base64" || side.content === undefined
    ? `(${side.kind}, ${side.size ?? 0} bytes, not text)`
    : side.content;
}

function wordsFor(use: Use): string {
  return typeof use === "string" ? USES[use] : "as edited";
}
