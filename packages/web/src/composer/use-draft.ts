import { useEffect, useMemo, useState } from "react";
import type { Session } from "../data/session.ts";
import { DraftField } from "./draft-field.ts";

/** The text of the prompt's field, and the draft that it is saved in. */
export function useDraft(session: Session) {
  const [text, setText] = useState("");
  const field = useMemo(() => new DraftField(session, setText), [session]);
  useEffect(() => field.follow(), [field]);
  return { text, field };
}
