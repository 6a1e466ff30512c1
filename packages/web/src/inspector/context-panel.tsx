import { PanelHeading } from "../parts/panel-heading.tsx";
import type { PanelProps } from "./panel.ts";

export default function ContextPanel({ session }: PanelProps) {
  return (
    <section className="panel" aria-labelledby="panel-context" data-thread={session.thread}>
      <PanelHeading
        id="panel-context"
        title="Context"
        about="Files and images that the model is sent with every request."
      />
    </section>
  );
}
