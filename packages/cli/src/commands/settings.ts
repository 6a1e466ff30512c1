import {
  activeTake,
  changeSetting,
  isSettingField,
  SETTING_FIELDS,
  type SettingField,
  type Settings,
  setting,
  settings,
} from "@retake/core";
import { sayChanged } from "../changed.ts";
import { type Call, type Command, notFound, wrongUsage } from "../command.ts";
import { cut } from "../output.ts";

export const command: Command = {
  name: "settings",
  summary: "The settings of the take: prompts, temperature, model, draft and the rest",
  usage: "[field [value]]",
  details: [
    "Texts are taken as they are; numbers, switches and lists as JSON. approval_rules says which tools may run without",
    "asking, in order, and the last rule that fits decides: allow, ask or deny; * stands for any characters.",
    "",
    '  retake settings approval_rules \'[{"tool":"bash","command":"npm test*","decision":"allow"},',
    '                                   {"tool":"write","path":"secrets/**","decision":"deny"}]\'',
  ],
  most: 2,
  async run(call) {
    const [field, value] = call.args;
    if (field === undefined) return list(call);
    if (!isSettingField(field))
      throw notFound(`There is no setting '${field}'. There are ${SETTING_FIELDS.join(", ")}.`);
    if (value === undefined) return show(call, field);
    change(call, field, value);
  },
};

function list(call: Call): void {
  const { output } = call;
  const all = call.retake.read(call.thread, ({ state }) => settings(state, activeTake(state)));
  output.say(all, () => [
    ...output.table(SETTING_FIELDS.map((field) => [field, cut(JSON.stringify(all[field]), 60)])),
    output.style("dim", "  Change one: retake settings <field> <value>"),
  ]);
}

function show({ retake, thread, output }: Call, field: SettingField): void {
  const value = retake.read(thread, ({ state }) => setting(state, activeTake(state), field));
  output.say({ [field]: value }, () => [typeof value === "string" ? value : JSON.stringify(value)]);
}

function change(call: Call, field: SettingField, text: string): void {
  const done = call.retake.change(call.thread, (state, context) => {
    const value = parseValue(field, setting(state, activeTake(state), field), text);
    return changeSetting(state, context, { field, value });
  });
  sayChanged(call, done, { answer: (state) => ({ [field]: setting(state, activeTake(state), field) }) });
}

/** Texts are taken as they are; numbers, switches and lists as JSON has them. The core says what is allowed. */
function parseValue<Field extends SettingField>(field: Field, before: Settings[Field], text: string): Settings[Field] {
  if (typeof before === "string") return text as Settings[Field];
  try {
    return JSON.parse(text) as Settings[Field];
  } catch {
    throw wrongUsage(`The setting ${field} is like ${JSON.stringify(before)}, not '${text}'. Nothing was changed.`);
  }
}
