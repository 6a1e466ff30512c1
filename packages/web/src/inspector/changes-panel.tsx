import { PanelHeading } from "../parts/panel-heading.tsx";
import type { PanelProps } from "./panel.ts";

export default function ChangesPanel({ session }: PanelProps) {
  return (
    <section className="panel" aria-labelledby="panel-changes" data-thread={session.thread}>
      <PanelHeading
        id="panel-changes"
        title="Changes"
        about="What a turn, a take or a range of turns changed in your files, file by file."
      />
    </section>
  );
}
