import { PanelHeading } from "../parts/panel-heading.tsx";
import type { PanelProps } from "./panel.ts";

export default function SettingsPanel({ session }: PanelProps) {
  return (
    <section className="panel" aria-labelledby="panel-settings" data-thread={session.thread}>
      <PanelHeading
        id="panel-settings"
        title="Settings"
        about="Model, prompts and parameters of this take. Every change is saved at once and can be undone."
      />
    </section>
  );
}
