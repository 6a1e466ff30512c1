import type { Row } from "@retake/client/screen";
import { Component, type ReactNode } from "react";
import { CallRow } from "./call-row.tsx";
import { EntryRow } from "./entry-row.tsx";
import { TurnRow } from "./turn-row.tsx";

export function RowView({ row, newer }: { readonly row: Row; readonly newer: number }) {
  return (
    <RowBoundary row={row}>
      {row.kind === "turn" ? (
        <TurnRow row={row} newer={newer} />
      ) : row.kind === "call" ? (
        <CallRow row={row} />
      ) : (
        <EntryRow row={row} />
      )}
    </RowBoundary>
  );
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
