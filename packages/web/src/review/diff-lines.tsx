import { useStore } from "../data/store.ts";
import { splitStore } from "../data/view-state.ts";
import { type HunkLines, numberLines, type Side, sideBySide } from "./number-lines.ts";

const SIGNS = { "+": "added", "-": "removed", " ": "", "\\": "note" } as const;

/** The turns that wrote the lines of the new file. */
export interface Writers {
  /** `name` is a turn's, or a word where no turn wrote the line. */
  readonly of: (line: number) => { readonly name: string; readonly turn?: string | undefined } | undefined;
  readonly onTurn: (turn: string) => void;
}

/** The lines of a hunk as a table, with their numbers: one below the other, or the two sides beside each other. */
export function DiffLines({ hunk, writers }: { readonly hunk: HunkLines; readonly writers?: Writers | undefined }) {
  const split = useStore(splitStore);
  const lines = numberLines(hunk);
  return (
    <div className="diff-scroll">
      <table className={`diff ${split ? "split" : ""}`} data-testid="hunk-lines">
        <tbody>
          {split
            ? sideBySide(lines).map(([left, right], at, all) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a hunk never move
                <tr key={at}>
                  <Cell line={left} number={left?.old} />
                  {writers && <Writer writers={writers} line={right} before={all[at - 1]?.[1]} />}
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
                  {writers && <Writer writers={writers} line={line} before={lines[at - 1]} />}
                  <td>{`${line.sign}${line.text}`}</td>
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}

/** Said at the first of the lines that one turn wrote. */
function Writer(props: {
  readonly writers: Writers;
  readonly line: Side | undefined;
  readonly before: Side | undefined;
}) {
  const { of, onTurn } = props.writers;
  const writer = props.line?.new === undefined ? undefined : of(props.line.new);
  const above = props.before?.new === undefined ? undefined : of(props.before.new);
  const turn = writer?.turn;
  if (!writer || writer.name === above?.name) return <td className="writer" />;
  return (
    <td className="writer">
      {turn === undefined ? (
        writer.name
      ) : (
        <button type="button" aria-label={`Go to turn ${writer.name}`} onClick={() => onTurn(turn)}>
          {writer.name}
        </button>
      )}
    </td>
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
