import { SETTING_FIELDS } from "@retake/core";
import type { ActionAnswer } from "@retake/runtime/actions";
import { action as changeSettings } from "@retake/runtime/actions/change-settings";
import { action as getSettings } from "@retake/runtime/actions/get-settings";
import { cut } from "@retake/tui/text";
import { act } from "../act.ts";
import { sayChanged } from "../changed.ts";
import { type Call, type Command, notFound, wrongUsage } from "../command.ts";

export const command: Command = {
  name: "settings",
  group: "setup",
  summary: "Show or change the settings of the take: prompts, temperature, model, draft and others",
  usage: "[field [value]]",
  most: 2,
  places: ["setting"],
  details: [
    "Texts are taken as they are; numbers, switches and lists as JSON: files, context_files and screenshots are lists of paths; those that are sent to the model may lie outside of the workspace only with --outside.",
  ],
  options: { outside: { type: "boolean", about: "files that are sent to the model may lie outside of the workspace" } },
  examples: [
    ["retake settings temperature 0.2", "change one"],
    ["retake settings draft", "show one"],
  ],
  async run(call) {
    const [field, value] = call.args;
    if (field === undefined) return list(call);
    if (!isField(field)) throw notFound(`There is no setting '${field}'. There are ${FIELDS.join(", ")}.`);
    if (value === undefined) return show(call, field);
    return change(call, field, value);
  },
};

type Settings = ActionAnswer<"getSettings">;
const PATHS = ["files", "context_files", "screenshots"] as const;
const FIELDS = [...SETTING_FIELDS, ...PATHS] as const satisfies (keyof Settings)[];

function isField(field: string): field is (typeof FIELDS)[number] {
  return (FIELDS as readonly string[]).includes(field);
}

async function list(call: Call): Promise<void> {
  const { output } = call;
  const all = await act(call, getSettings, { params: { id: call.thread } });
  output.say(all, () => [
    ...output.table(FIELDS.map((field) => [field, cut(JSON.stringify(all[field]), 60)])),
    output.hint("Change one: retake settings <field> <value>"),
  ]);
}

async function show(call: Call, field: keyof Settings): Promise<void> {
  const { [field]: value } = await act(call, getSettings, { params: { id: call.thread } });
  call.output.say({ [field]: value }, () => [{ exact: typeof value === "string" ? value : JSON.stringify(value) }]);
}

async function change(call: Call, field: keyof Settings, text: string): Promise<void> {
  const params = { id: call.thread };
  const before = await act(call, getSettings, { params });
  const outside = call.options["outside"] === true ? { outside: true } : {};
  const body = { [field]: parseValue(field, before[field], text), ...outside };
  const { settings, ...answer } = await act(call, changeSettings, { params, body });
  sayChanged(call, { ...answer, [field]: settings[field] });
}

/** Texts are taken as they are; numbers, switches and lists as JSON has them. The core says what is allowed. */
function parseValue(field: string, before: unknown, text: string): unknown {
  if (typeof before === "string") return text;
  const wrong = wrongUsage(
    `The setting ${field} is like ${JSON.stringify(before)}, not '${text}'. Nothing was changed.`,
  );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong;
  }
  if (!(PATHS as readonly string[]).includes(field)) return value;
  if (!Array.isArray(value)) throw wrong;
  return value.map((each) => (typeof each === "string" ? { path: each } : each));
}
