import { useStore } from "../data/store.ts";
import { splitStore } from "../data/view-state.ts";
import { type HunkLines, numberLines, type Side, sideBySide } from "./number-lines.ts";

const SIGNS = { "+": "added", "-": "removed", " ": "", "\\": "note" } as const;

/** The lines of a hunk as a table, with their numbers: one below the other, or the two sides beside each other. */
export function DiffLines({ hunk }: { readonly hunk: HunkLines }) {
  const split = useStore(splitStore);
  const lines = numberLines(hunk);
  return (
    <div className="diff-scroll">
      <table className={`diff ${split ? "split" : ""}`} data-testid="hunk-lines">
        <tbody>
          {split
            ? sideBySide(lines).map(([left, right], at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a hunk never move
                <tr key={at}>
                  <Cell line={left} number={left?.old} />
                  <Cell line={right} number={right?.new} />
                </tr>
              ))
            : lines.map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a hunk never move
                <tr key={at} className={SIGNS[line.sign]}>
                  <th scope="row" aria-label={labelOf(line)}>
                    <span>{line.old ?? ""}</span>
                    <span>{line.new ?? ""}</span>
                  </th>
                  <td>{`${line.sign}${line.text}`}</td>
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ line, number }: { readonly line: Side | undefined; readonly number: number | undefined }) {
  const tone = line ? SIGNS[line.sign] : "absent";
  return (
    <>
      <th scope="row" className={tone} aria-label={line ? labelOf(line) : "no line"}>
        {number ?? ""}
      </th>
      <td className={tone}>{line ? `${line.sign}${line.text}` : ""}</td>
    </>
  );
}

function labelOf(line: Side): string {
  const what = SIGNS[line.sign];
  if (what === "note") return "note";
  return `line ${line.new ?? line.old ?? ""}${what === "" ? "" : ` ${what}`}`;
}
