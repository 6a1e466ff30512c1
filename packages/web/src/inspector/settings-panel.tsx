import { roles, settings } from "@retake/core";
import { useStore } from "../data/store.ts";
import { PanelHeading } from "../parts/panel-heading.tsx";
import { BrowserSettings } from "../settings/browser-settings.tsx";
import { useDifferences } from "../settings/differences.ts";
import { ModelSetting } from "../settings/model-setting.tsx";
import { RoleList } from "../settings/role-list.tsx";
import { NumberSetting, SwitchSetting, TextSetting } from "../settings/setting-fields.tsx";
import { SyncSetting } from "../settings/sync-setting.tsx";
import { WholeThread } from "../settings/whole-thread.tsx";
import type { PanelProps } from "./panel.ts";

const NUMBERS = [
  { field: "temperature", label: "Temperature", step: 0.1, about: "0 is the most predictable." },
  { field: "top_p", label: "Top p", step: 0.05, about: "1 leaves nothing out." },
  { field: "max_tokens", label: "Most tokens of an answer", step: 256, about: "0 leaves it to the model." },
  { field: "undo_depth", label: "Steps that can be undone", step: 1, about: "0 is without a limit." },
] as const;

const SWITCHES = [
  {
    field: "auto_add_history",
    label: "Add to the history automatically",
    about: "Kept for projects that are imported and exported: Retake records every turn in any case.",
  },
  { field: "auto_compress", label: "Summarise the older part before the context overflows", about: "" },
] as const;

const TEXTS = [
  { field: "base_system_prompt", label: "Base prompt", rows: 6 },
  { field: "global_system_prompt", label: "Global prompt", rows: 4 },
  { field: "project_system_prompt", label: "Project prompt", rows: 4 },
] as const;

/** The settings of the take (S2). Every field saves itself, and every change is a step that undo takes back. */
export default function SettingsPanel({ session }: PanelProps) {
  const view = useStore(session.store, (state) => state.view);
  const { thread } = session;
  const differs = useDifferences(session);
  if (!view) return null;
  const now = settings(view.state, view.take);
  return (
    <section className="panel" aria-labelledby="panel-settings" data-thread={thread}>
      <PanelHeading id="panel-settings" title="Settings" about="Of this take. Saved at once, and can be undone." />
      <ModelSetting thread={thread} value={now.model} differs={differs("model")} />
      <div className="grid grid-cols-2">
        {NUMBERS.map(({ field, ...about }) => (
          <NumberSetting
            key={field}
            {...about}
            thread={thread}
            field={field}
            value={now[field]}
            differs={differs(field)}
          />
        ))}
      </div>
      {SWITCHES.map(({ field, ...about }) => (
        <SwitchSetting
          key={field}
          {...about}
          thread={thread}
          field={field}
          value={now[field]}
          differs={differs(field)}
        />
      ))}
      <SwitchSetting
        thread={thread}
        field="use_default_base_prompt"
        label="Use the default base prompt"
        about="The base prompt below is then not sent."
        value={now.use_default_base_prompt}
        differs={differs("use_default_base_prompt")}
      />
      {TEXTS.map(({ field, ...about }) => (
        <TextSetting
          key={`${field} ${view.take}`}
          {...about}
          thread={thread}
          take={view.take}
          field={field}
          value={now[field]}
          differs={differs(field)}
        />
      ))}
      <RoleList thread={thread} roles={roles(view.state, view.take)} />
      <SyncSetting thread={thread} />
      <WholeThread thread={thread} />
      <BrowserSettings />
    </section>
  );
}
