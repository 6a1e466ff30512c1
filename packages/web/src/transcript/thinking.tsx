import type { Entry } from "@retake/core";
import { Icon } from "../parts/icon.tsx";
import { sidesOf } from "../parts/sides-of.ts";
import { useOpen } from "./use-open.ts";

/** The thinking of a model before its answer, folded. */
export function Thinking({
  entry,
  live,
  streams,
}: {
  readonly entry: Entry;
  readonly live: string | undefined;
  readonly streams: boolean;
}) {
  const [open, setOpen] = useOpen(`${entry.id} thinking`, false);
  const said = (entry.thinking_segments ?? []).map(({ text, redacted }) =>
    redacted ? "(hidden by the provider)" : text,
  );
  const text = said.length > 0 ? said.join("\n\n") : (live ?? "");
  if (text === "") return null;
  return (
    <div className="thinking">
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="chevron" className={open ? "rotate-90" : ""} />
        {streams && entry.content === "" ? "Thinking …" : "Thinking"}
      </button>
      {open && <p className={`plain ${sidesOf(text)}`}>{text}</p>}
    </div>
  );
}
