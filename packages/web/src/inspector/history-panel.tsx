import { PanelHeading } from "../parts/panel-heading.tsx";
import type { PanelProps } from "./panel.ts";

export default function HistoryPanel({ session }: PanelProps) {
  return (
    <section className="panel" aria-labelledby="panel-history" data-thread={session.thread}>
      <PanelHeading
        id="panel-history"
        title="History"
        about="Everything that happened in this thread, newest first. Any point can be gone back to."
      />
    </section>
  );
}
