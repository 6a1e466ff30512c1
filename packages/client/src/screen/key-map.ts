/**
 * The keys of both screens, as data. Two states, as in an editor: *typing* (a text field has the focus) and *moving* (a row,
 * a file or an operation has it). Single letters are commands only while moving.
 *
 * A key is written `Ctrl+Shift+Z`, `Alt+ArrowDown`, `J` (with Shift) or `g g` (one after the other).
 */
export type Action = (typeof KEY_MAP)[number]["action"];

export interface KeyBinding {
  readonly action: string;
  readonly keys: readonly string[];
  /** `anywhere`: in a text field too, unless the field uses the key itself (`notTyping`). */
  readonly when: "moving" | "anywhere" | "approval";
  readonly notTyping?: true;
  readonly about: string;
}

export const KEY_MAP = [
  { action: "next-row", keys: ["j", "ArrowDown"], when: "moving", about: "Next row" },
  { action: "previous-row", keys: ["k", "ArrowUp"], when: "moving", about: "Previous row" },
  { action: "next-turn", keys: ["J", "Alt+ArrowDown"], when: "moving", about: "Next turn" },
  { action: "previous-turn", keys: ["K", "Alt+ArrowUp"], when: "moving", about: "Previous turn" },
  { action: "first-row", keys: ["g g", "Home"], when: "moving", about: "First row" },
  { action: "last-row", keys: ["G", "End"], when: "moving", about: "Last row; follow the end" },
  { action: "next-hunk", keys: ["]"], when: "moving", about: "Next hunk" },
  { action: "previous-hunk", keys: ["["], when: "moving", about: "Previous hunk" },
  { action: "next-file", keys: ["n"], when: "moving", about: "Next file or match" },
  { action: "previous-file", keys: ["p"], when: "moving", about: "Previous file or match" },
  { action: "open", keys: ["Enter"], when: "moving", about: "Open or fold" },
  { action: "edit", keys: ["e"], when: "moving", about: "Edit the entry" },
  { action: "read-mode", keys: ["m"], when: "moving", about: "Rendered or plain text" },
  { action: "collapse", keys: ["c"], when: "moving", about: "Collapse the entry" },
  { action: "insert", keys: ["i"], when: "moving", about: "Insert an entry before" },
  { action: "delete", keys: ["d"], when: "moving", about: "Delete the entry" },
  { action: "branch", keys: ["b"], when: "moving", about: "Branch here" },
  { action: "take-back", keys: ["x"], when: "moving", about: "Take back only this" },
  { action: "copy", keys: ["y"], when: "moving", about: "Copy the text" },
  { action: "select", keys: [" "], when: "moving", about: "Select" },
  { action: "undo-turn", keys: ["u"], when: "moving", about: "Undo the last turn, with a preview" },
  { action: "redo", keys: ["U"], when: "moving", about: "Bring back what was undone" },
  { action: "show-history", keys: ["h"], when: "moving", about: "History" },
  { action: "show-takes", keys: ["t"], when: "moving", about: "Takes" },
  { action: "show-changes", keys: ["r"], when: "moving", about: "Review changes" },
  { action: "show-settings", keys: ["s"], when: "moving", about: "Settings" },
  { action: "side-by-side", keys: ["v"], when: "moving", about: "Unified or side by side" },
  { action: "write", keys: ["/"], when: "moving", about: "Write a prompt" },
  { action: "show-keys", keys: ["?"], when: "moving", about: "Keys of this place" },
  { action: "allow", keys: ["y"], when: "approval", about: "Allow" },
  { action: "allow-always", keys: ["a"], when: "approval", about: "Always allow" },
  { action: "deny", keys: ["n"], when: "approval", about: "Deny" },
  { action: "undo-step", keys: ["Ctrl+Z"], when: "anywhere", notTyping: true, about: "Undo the last step" },
  { action: "redo-step", keys: ["Ctrl+Y", "Ctrl+Shift+Z"], when: "anywhere", notTyping: true, about: "Redo" },
  { action: "undo-turn-anywhere", keys: ["Ctrl+Alt+Z"], when: "anywhere", about: "Undo the last turn, with a preview" },
  { action: "palette", keys: ["Ctrl+K"], when: "anywhere", about: "All commands" },
  { action: "find", keys: ["Ctrl+F"], when: "anywhere", about: "Find in this thread" },
  { action: "search", keys: ["Ctrl+Shift+F"], when: "anywhere", about: "Search all threads" },
  { action: "toggle-sidebar", keys: ["Ctrl+B"], when: "anywhere", about: "Show or hide the threads" },
  { action: "toggle-inspector", keys: ["Ctrl+J"], when: "anywhere", about: "Show or hide the inspector" },
  { action: "interrupt", keys: ["Ctrl+."], when: "anywhere", about: "Stop the turn" },
  { action: "previous-take", keys: ["Ctrl+Alt+ArrowLeft"], when: "anywhere", about: "Previous take" },
  { action: "next-take", keys: ["Ctrl+Alt+ArrowRight"], when: "anywhere", about: "Next take" },
  {
    action: "nth-take",
    keys: ["Alt+1", "Alt+2", "Alt+3", "Alt+4", "Alt+5", "Alt+6", "Alt+7", "Alt+8", "Alt+9"],
    when: "anywhere",
    about: "Take 1 to 9",
  },
  { action: "next-region", keys: ["F6"], when: "anywhere", about: "Next part of the screen" },
  { action: "previous-region", keys: ["Shift+F6"], when: "anywhere", about: "Previous part of the screen" },
  { action: "new-thread", keys: ["Ctrl+Shift+O"], when: "anywhere", about: "New thread" },
] as const satisfies readonly KeyBinding[];

/** A key press as the map writes it. A printable key that needs Shift is written as what it prints. */
export function keyName(press: {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey?: boolean;
}): string {
  const control = press.ctrlKey || press.metaKey === true;
  const printable = press.key.length === 1;
  const name = printable && (control || press.altKey) ? press.key.toUpperCase() : press.key;
  const shift = press.shiftKey && (!printable || control || press.altKey);
  return `${control ? "Ctrl+" : ""}${press.altKey ? "Alt+" : ""}${shift ? "Shift+" : ""}${name}`;
}

/** A user's own keys, in place of those of the map. */
export interface KeyChoices {
  /** Whether single characters are commands while moving; without them, everything is still in menus and lists. */
  readonly letters: boolean;
  readonly keys: Readonly<Partial<Record<Action, readonly string[]>>>;
}

export const NO_CHOICES: KeyChoices = { letters: true, keys: {} };

/** The map with a user's choices. */
export function chosenKeys({ letters, keys }: KeyChoices): readonly KeyBinding[] {
  return KEY_MAP.map((binding) => {
    const chosen = keys[binding.action] ?? binding.keys;
    return { ...binding, keys: letters || binding.when !== "moving" ? chosen : chosen.filter((key) => !isLetter(key)) };
  });
}

/** Keys that browsers keep for themselves. */
const BROWSER_KEYS: ReadonlySet<string> = new Set([
  ...["Ctrl+W", "Ctrl+T", "Ctrl+N", "Ctrl+L", "Ctrl+D", "Ctrl+R", "F5", "F11", "F12", "Escape", "Tab", "Shift+Tab"],
  ...["Ctrl+Shift+N", "Ctrl+Shift+T", "Ctrl+Shift+W", "Enter"],
]);

/** Why an action cannot have a key; undefined when it can. */
export function whyNotBound(map: readonly KeyBinding[], action: Action, key: string): string | undefined {
  if (BROWSER_KEYS.has(key)) return `${key} has a meaning of its own. Choose another key.`;
  const binding = map.find((each) => each.action === action);
  if (binding?.when === "anywhere" && isLetter(key))
    return `${key} is typed in a text field. Choose it with Ctrl or Alt.`;
  const other = map.find((each) => each.action !== action && meets(each, binding) && each.keys.some(startsAs(key)));
  return other && `${key} is taken: ${other.about}. Choose another key, or give that one another first.`;
}

/** The action of a key, or of two keys one after the other. */
export function actionFor(
  keys: string,
  place: "moving" | "typing" | "approval",
  map: readonly KeyBinding[] = KEY_MAP,
): Action | undefined {
  return map.find((each) => each.keys.includes(keys) && isIn(each, place))?.action as Action | undefined;
}

/** Whether a longer sequence begins with a key. */
export function beginsSequence(key: string, map: readonly KeyBinding[] = KEY_MAP): boolean {
  return map.some(({ keys }) => keys.some((each) => each.startsWith(`${key} `)));
}

function isIn({ when, notTyping }: KeyBinding, place: "moving" | "typing" | "approval"): boolean {
  if (when === "anywhere") return place !== "typing" || notTyping !== true;
  if (place === "approval") return when === "approval";
  return when === place;
}

/** Whether two actions may be asked for in the same place. */
function meets({ when }: KeyBinding, other: KeyBinding | undefined): boolean {
  return when === other?.when || when === "anywhere" || other?.when === "anywhere";
}

/** A key is also taken where a sequence begins with it. */
function startsAs(key: string): (taken: string) => boolean {
  return (taken) => taken === key || taken.startsWith(`${key} `);
}

/** One character, or several one after the other, without Ctrl or Alt. */
function isLetter(keys: string): boolean {
  return keys.split(/(?<=\S) /).every((key) => key.length === 1);
}
