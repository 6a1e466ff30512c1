/**
 * Reads the bytes of a terminal as keys, pastes and the mouse. Pure: the part of a sequence that has not arrived yet is handed back and
 * given again. Keys are named as in the key map: `Ctrl+Z`, `Alt+Enter`, `ArrowUp`, `J`.
 */
export type InputEvent =
  /** `text` is what the key types, where it types something. */
  | { readonly type: "key"; readonly key: string; readonly text?: string }
  | { readonly type: "paste"; readonly text: string }
  | { readonly type: "mouse"; readonly action: MouseAction; readonly row: number; readonly column: number };

export type MouseAction = "press" | "drag" | "release" | "wheel-up" | "wheel-down";

export interface ReadKeys {
  readonly events: readonly InputEvent[];
  /** The beginning of a sequence. */
  readonly rest: string;
}

const PASTE_START = "\u001b[200~";
const PASTE_END = "\u001b[201~";

/** `isOver`: nothing more came for a moment, so an escape alone is the Escape key. */
export function readKeys(given: string, isOver = false): ReadKeys {
  const events: InputEvent[] = [];
  let at = 0;
  while (at < given.length) {
    const rest = given.slice(at);
    if (rest.startsWith(PASTE_START)) {
      const end = rest.indexOf(PASTE_END);
      if (end < 0) return { events, rest };
      events.push({ type: "paste", text: rest.slice(PASTE_START.length, end).replace(/\r\n?/g, "\n") });
      at += end + PASTE_END.length;
      continue;
    }
    const found = readOne(rest, isOver);
    if (found === undefined) return { events, rest };
    if (found.event) events.push(found.event);
    at += found.length;
  }
  return { events, rest: "" };
}

interface One {
  readonly length: number;
  readonly event?: InputEvent | undefined;
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: sequences begin with one
const MOUSE = /^\u001b\[<(\d+);(\d+);(\d+)([Mm])/;
const CSI = /^\u001b\[([?>=]?)([\d;:]*)([ -/]*)([@-~])/;
const SS3 = /^\u001bO([A-Za-z])/;
const UNFINISHED = /^\u001b(?:\[[?>=<]?[\d;:]*[ -/]*|O)?$/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: until here

function readOne(rest: string, isOver: boolean): One | undefined {
  const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  if (character !== "\u001b") return { length: character.length, event: plainKey(character) };
  if (UNFINISHED.test(rest) && !isOver) return undefined;
  const mouse = MOUSE.exec(rest);
  if (mouse) return { length: mouse[0].length, event: mouseEvent(mouse) };
  const sequence = CSI.exec(rest);
  if (sequence) return { length: sequence[0].length, event: sequenceKey(sequence) };
  const short = SS3.exec(rest);
  if (short) return { length: short[0].length, event: key(FINAL[short[1] ?? ""]) };
  if (rest.length === 1 || rest[1] === "\u001b") return { length: 1, event: key("Escape") };
  // Escape and a key at once is that key with Alt.
  const next = String.fromCodePoint(rest.codePointAt(1) ?? 0);
  const plain = plainKey(next);
  return { length: 1 + next.length, event: plain && key(`Alt+${shifted(plain.key)}`) };
}

function key(name: string | undefined): InputEvent | undefined {
  return name === undefined ? undefined : { type: "key", key: name };
}

function shifted(name: string): string {
  return name.length === 1 ? name.toUpperCase() : name;
}

function plainKey(character: string): { type: "key"; key: string; text?: string } | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (character === "\r") return { type: "key", key: "Enter" };
  if (character === "\t") return { type: "key", key: "Tab" };
  if (code === 0x7f || code === 0x08) return { type: "key", key: "Backspace" };
  if (code === 0) return { type: "key", key: "Ctrl+Space" };
  if (code < 0x20) return { type: "key", key: `Ctrl+${String.fromCharCode(code + 0x40)}` };
  if (code >= 0x80 && code < 0xa0) return undefined;
  return { type: "key", key: character, text: character };
}

const FINAL: Readonly<Record<string, string>> = {
  ...{ A: "ArrowUp", B: "ArrowDown", C: "ArrowRight", D: "ArrowLeft", H: "Home", F: "End", Z: "Shift+Tab" },
  ...{ P: "F1", Q: "F2", R: "F3", S: "F4" },
};

const NUMBERED: Readonly<Record<string, string>> = {
  ...{ 1: "Home", 2: "Insert", 3: "Delete", 4: "End", 5: "PageUp", 6: "PageDown", 7: "Home", 8: "End" },
  ...{ 11: "F1", 12: "F2", 13: "F3", 14: "F4", 15: "F5", 17: "F6", 18: "F7", 19: "F8", 20: "F9" },
};

/** Keys that the kitty protocol names by their character, and those of the keypad, which it names by numbers of its own. */
const NAMED: Readonly<Record<number, string>> = {
  ...{ 9: "Tab", 13: "Enter", 27: "Escape", 32: "Space", 127: "Backspace" },
  ...{ 57414: "Enter", 57417: "ArrowLeft", 57418: "ArrowRight", 57419: "ArrowUp", 57420: "ArrowDown" },
  ...{ 57421: "PageUp", 57422: "PageDown", 57423: "Home", 57424: "End", 57425: "Insert", 57426: "Delete" },
};

/** From here on no number is a character that a key types. */
const NO_CHARACTERS = 0xd800;

/** Caps Lock and Num Lock, which the kitty protocol counts among the modifiers. */
const LOCKS = 64 | 128;

function sequenceKey([, prefix = "", parameters = "", , final = ""]: RegExpExecArray): InputEvent | undefined {
  if (prefix !== "") return undefined;
  const [first = "", second = ""] = parameters.split(";");
  const modifiers = Math.max(0, Number(second.split(":")[0] || "1") - 1) & ~LOCKS;
  if (final === "u") {
    const code = Number(first.split(":")[0]);
    const name = NAMED[code] ?? (code < NO_CHARACTERS ? String.fromCodePoint(code) : undefined);
    if (name === undefined) return undefined;
    if (name === "Space" && modifiers === 1) return plainKey(" ");
    if (name === "Backspace" && modifiers === 1) return key(name);
    if (name.length === 1 && modifiers <= 1) {
      const text = modifiers === 1 ? name.toUpperCase() : name;
      return { type: "key", key: text, text };
    }
    return key(withModifiers(name.length === 1 ? name.toUpperCase() : name, modifiers));
  }
  if (final === "Z") return key("Shift+Tab");
  const name = final === "~" ? NUMBERED[first] : FINAL[final];
  return key(name && withModifiers(name, modifiers));
}

function withModifiers(name: string, modifiers: number): string {
  return `${modifiers & 4 ? "Ctrl+" : ""}${modifiers & 2 ? "Alt+" : ""}${modifiers & 1 ? "Shift+" : ""}${name}`;
}

function mouseEvent([, button = "0", column = "1", row = "1", end]: RegExpExecArray): InputEvent | undefined {
  const code = Number(button);
  const where = { row: Number(row) - 1, column: Number(column) - 1 };
  if (code & 64) return { type: "mouse", action: code & 1 ? "wheel-down" : "wheel-up", ...where };
  if ((code & 3) !== 0) return undefined;
  return { type: "mouse", action: end === "m" ? "release" : code & 32 ? "drag" : "press", ...where };
}
