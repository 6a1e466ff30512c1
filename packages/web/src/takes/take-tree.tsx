import type { ReactNode } from "react";
import type { TakeRow } from "./take-rows.ts";

const ROW = 72;
const COLUMN = 18;

/** The tree as a drawing, with a line of text and buttons beside each row. */
export function TakeTree({
  rows,
  children,
}: {
  readonly rows: readonly TakeRow[];
  readonly children: (row: TakeRow) => ReactNode;
}) {
  const width = (Math.max(0, ...rows.map(({ column }) => column)) + 1) * COLUMN;
  const x = (column: number) => column * COLUMN + COLUMN / 2;
  const y = (row: number) => row * ROW + ROW / 2;
  return (
    <div className="relative" style={{ paddingLeft: width + 8 }}>
      <svg className="absolute top-0 left-0" width={width} height={rows.length * ROW} aria-hidden="true">
        {rows.map((row, index) => (
          <g key={row.key} stroke="var(--muted)" fill="none" strokeWidth={row.take.active ? 2.5 : 1.2}>
            {row.kind === "head" && <path d={lineOf(rows, row, index, x, y)} />}
          </g>
        ))}
        {rows.map((row, index) => (
          <circle
            key={row.key}
            cx={x(row.column)}
            cy={y(index)}
            r={row.kind === "head" ? 5 : 3}
            fill={row.take.active ? "var(--accent)" : "var(--muted)"}
          />
        ))}
      </svg>
      <ol aria-label="Takes">
        {rows.map((row) => (
          <li key={row.key} className="flex flex-col justify-center gap-1" style={{ height: ROW }}>
            {children(row)}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** From where a take leaves its parent, or from its first row, down to its head. */
function lineOf(
  rows: readonly TakeRow[],
  row: TakeRow,
  index: number,
  x: (column: number) => number,
  y: (row: number) => number,
): string {
  const first = rows.findIndex(({ take }) => take.id === row.take.id);
  const end = `L ${x(row.column)} ${y(index)}`;
  if (!row.from) return `M ${x(row.column)} ${y(first)} ${end}`;
  const [left, top] = [x(row.from.column), y(row.from.row)];
  return `M ${left} ${top} Q ${x(row.column)} ${top} ${x(row.column)} ${top + ROW / 2} ${end}`;
}
