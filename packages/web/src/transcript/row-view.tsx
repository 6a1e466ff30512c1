import type { Row } from "@retake/client/screen";
import { Component, memo, type ReactNode } from "react";
import { CallRow } from "./call-row.tsx";
import { EntryRow } from "./entry-row.tsx";
import { LeftEdit } from "./left-edit.tsx";
import { TurnRow } from "./turn-row.tsx";

/** A row is drawn again when something in it is another thing; lists of rows are made anew after every change. */
export const RowView = memo(
  function RowView({ row, isNewest }: RowProps) {
    return (
      <RowBoundary row={row}>
        {row.kind === "turn" ? (
          <TurnRow row={row} isNewest={isNewest} />
        ) : row.kind === "call" ? (
          <CallRow row={row} />
        ) : (
          <EntryRow row={row} />
        )}
        {row.kind !== "turn" && <LeftEdit entry={row.kind === "call" ? row.result : row.entry} name={row.name} />}
      </RowBoundary>
    );
  },
  (before, after) => before.isNewest === after.isNewest && isSame(before.row, after.row),
);

interface RowProps {
  readonly row: Row;
  /** Whether it is the header of the last turn of the conversation. */
  readonly isNewest: boolean;
}

function isSame(a: Row, b: Row): boolean {
  const keys = Object.keys(b) as (keyof Row)[];
  return keys.length === Object.keys(a).length && keys.every((key) => a[key] === b[key]);
}

/** An entry that cannot be shown is shown as what it is, and the others stay. */
class RowBoundary extends Component<{ readonly row: Row; readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="error-box">
        <p>This row cannot be shown. Here is what it holds:</p>
        <pre className="output">{JSON.stringify(this.props.row, undefined, 2)}</pre>
      </div>
    );
  }
}
