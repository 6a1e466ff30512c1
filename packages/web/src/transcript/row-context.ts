import { createContext, useContext } from "react";
import type { Session } from "../data/session.ts";

/** The data that every row needs besides itself. */
export interface RowContext {
  readonly session: Session;
  readonly roles: readonly string[];
  readonly running: string | undefined;
  /** Entries that the plan on the screen removes, brings back or changes. */
  readonly planned: ReadonlyMap<string, "removed" | "returned" | "changed">;
  readonly toggleFold: (turn: string, folded: boolean) => void;
}

export const RowsContext = createContext<RowContext | undefined>(undefined);

export function useRows(): RowContext {
  const context = useContext(RowsContext);
  if (!context) throw new Error("a row stands in a transcript");
  return context;
}
