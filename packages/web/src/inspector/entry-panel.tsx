import { PanelHeading } from "../parts/panel-heading.tsx";
import type { PanelProps } from "./panel.ts";

export default function EntryPanel({ session }: PanelProps) {
  return (
    <section className="panel" aria-labelledby="panel-entry" data-thread={session.thread}>
      <PanelHeading
        id="panel-entry"
        title="Entry"
        about="The focused entry: its text, what it costs and what was sent."
      />
    </section>
  );
}
