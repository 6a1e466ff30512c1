import {
  activeTake,
  changeSetting,
  changeSettings,
  type PathList,
  pathsIn,
  SETTING_FIELDS,
  type SettingField,
  type State,
  setting,
} from "@retake/core";
import { sayChanged } from "../changed.ts";
import { type Call, type Command, notFound, wrongUsage } from "../command.ts";
import { cut } from "../output.ts";

export const command: Command = {
  name: "settings",
  summary: "The settings of the take: prompts, temperature, model, draft and the rest",
  usage: "[field [value]]",
  details: [
    "Texts are taken as they are; numbers, switches and lists as JSON: files, context_files and screenshots are lists of",
    "paths. approval_rules says which tools may run without",
    "asking, in order, and the last rule that fits decides: allow, ask or deny; * stands for any characters.",
    "",
    '  retake settings approval_rules \'[{"tool":"bash","command":"npm test*","decision":"allow"},',
    '                                   {"tool":"write","path":"secrets/**","decision":"deny"}]\'',
  ],
  most: 2,
  async run(call) {
    const [field, value] = call.args;
    if (field === undefined) return list(call);
    if (!isField(field)) throw notFound(`There is no setting '${field}'. There are ${FIELDS.join(", ")}.`);
    if (value === undefined) return show(call, field);
    change(call, field, value);
  },
};

const LISTS: Readonly<Record<string, PathList>> = {
  files: "file",
  context_files: "context",
  screenshots: "screenshot",
};
const FIELDS = [...SETTING_FIELDS, ...Object.keys(LISTS)];

function isField(field: string): boolean {
  return FIELDS.includes(field);
}

function settingIn(state: State, field: string): unknown {
  const list = LISTS[field];
  const take = activeTake(state);
  return list ? pathsIn(state, take, list) : setting(state, take, field as SettingField);
}

function list(call: Call): void {
  const { output } = call;
  const all = call.workspace.store.read(call.thread, ({ state }) =>
    Object.fromEntries(FIELDS.map((field) => [field, settingIn(state, field)])),
  );
  output.say(all, () => [
    ...output.table(FIELDS.map((field) => [field, cut(JSON.stringify(all[field]), 60)])),
    output.style("dim", "  Change one: retake settings <field> <value>"),
  ]);
}

function show({ workspace, thread, output }: Call, field: string): void {
  const value = workspace.store.read(thread, ({ state }) => settingIn(state, field));
  output.say({ [field]: value }, () => [typeof value === "string" ? value : JSON.stringify(value)]);
}

function change(call: Call, field: string, text: string): void {
  const list = LISTS[field];
  const done = call.workspace.store.change(call.thread, (state, context) => {
    const value = parseValue(field, settingIn(state, field), text);
    if (!list) return changeSetting(state, context, { field: field as SettingField, value: value as never });
    const members = Array.isArray(value)
      ? value.map((each) => (typeof each === "string" ? { path: each } : each))
      : value;
    return changeSettings(state, context, { settings: {}, lists: { [list]: members } });
  });
  sayChanged(call, done, { answer: (state) => ({ [field]: settingIn(state, field) }) });
}

/** Texts are taken as they are; numbers, switches and lists as JSON has them. The core says what is allowed. */
function parseValue(field: string, before: unknown, text: string): unknown {
  if (typeof before === "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    throw wrongUsage(`The setting ${field} is like ${JSON.stringify(before)}, not '${text}'. Nothing was changed.`);
  }
}
