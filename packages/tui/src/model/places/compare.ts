import { plural } from "@retake/client/screen";
import { type Line, line, span } from "../../draw/line.ts";
import { switchTo } from "../actions.ts";
import { call } from "../effect.ts";
import type { Detail } from "../model.ts";
import { say } from "../step.ts";
import type { ListDefinition } from "./definition.ts";
import { type FileDiff, fileDiffDetail, fileLine } from "./file-diffs.ts";

interface Compared {
  readonly a: { readonly id: string; readonly name: string };
  readonly b: { readonly id: string; readonly name: string };
  readonly common: number;
  readonly entries: { readonly a: readonly Said[]; readonly b: readonly Said[] };
  readonly files: readonly FileDiff[];
}

interface Said {
  readonly role: string;
  readonly content: string;
  readonly tool_calls?: readonly { readonly name?: unknown }[];
}

/** Two takes: what each says of its own, one below the other, and how the files go from the first to the second. */
export const compare: ListDefinition = {
  title: () => "Compare",
  load: (_, thread, about) =>
    call("compareTakes", [thread, about["a"] ?? "", about["b"] ?? ""], { for: "list", name: "compare", about }),
  items: (answer) => {
    const compared = answer as Compared;
    const { a, b, files } = compared;
    return [
      {
        key: "conversation",
        line: line("Conversation"),
        right: line(span(`${a.name} | ${b.name}`, "quiet")),
        data: { a: a.id, b: b.id, nameA: a.name, nameB: b.name },
        detail: { lines: conversation(compared), hunks: [] },
      },
      ...files.map((file) => ({
        key: `file ${file.path}`,
        line: fileLine(file),
        data: { a: a.id, b: b.id, nameA: a.name, nameB: b.name },
        detail: fileDiffDetail([file], [], true),
      })),
    ];
  },
  empty: "Both takes are the same.",
  hints: [
    ["1 2", "switch to the first, second"],
    ["PgDn", "read on"],
    ["Esc", "back"],
  ],
  key: (model, _, __, item, key) => {
    if (!item || (key !== "1" && key !== "2")) return undefined;
    const [take, name] = key === "1" ? [item.data["a"], item.data["nameA"]] : [item.data["b"], item.data["nameB"]];
    return model.view?.take === take
      ? say(model, `${name} is the active take.`)
      : switchTo(model, String(take), String(name));
  },
};

/** The same in one detail. */
export function comparison(answer: unknown): Omit<Detail, "key"> {
  const compared = answer as Compared;
  return fileDiffDetail(compared.files, conversation(compared));
}

function conversation({ a, b, common, entries }: Compared): Line[] {
  const side = (name: string, said: readonly Said[]): Line[] => [
    line(span(`Only in ${name}`, "strong"), span(said.length === 0 ? ": nothing" : "", "quiet")),
    ...said.flatMap(({ role, content, tool_calls = [] }) => [
      line(span(`  ${role} `, "accent"), content.replace(/\s+/g, " ").slice(0, 400)),
      ...tool_calls.map((each) => line(span(`  ● ${String(each.name)}`, "quiet"))),
    ]),
    [],
  ];
  return [
    line(span(`${plural(common, "entry", "entries")} in common`, "quiet")),
    [],
    ...side(a.name, entries.a),
    ...side(b.name, entries.b),
  ];
}
