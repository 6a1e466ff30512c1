/**
 * The simple commands of a command line, as a shell would cut it: quotes taken off, redirects apart,
 * and the commands inside `$(…)`, backticks and `(…)` listed as well. Nothing is expanded.
 *
 * This is for telling a person what a command seems to do. It is no sandbox: a script, a variable or
 * an `eval` can hide anything from it.
 */
export function parseCommandLine(line: string, depth = 0): SimpleCommand[] {
  const reader = new Reader(line, depth);
  reader.readCommands(undefined);
  return reader.commands;
}

export interface SimpleCommand {
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  /** The content of its here-document. */
  readonly input?: string;
}

export interface Word {
  readonly text: string;
  /** It holds a variable or a command whose value is not known here. */
  readonly expands: boolean;
  /** A part of it was quoted: then wildcards and `~` in it may mean themselves. */
  readonly quoted: boolean;
}

export interface Redirect {
  readonly writes: boolean;
  readonly target: Word;
}

interface Draft {
  words: Word[];
  redirects: Redirect[];
  input?: string;
}

const DEEPEST = 30;

class Reader {
  readonly commands: SimpleCommand[] = [];
  readonly #line: string;
  readonly #depth: number;
  #at = 0;
  #nesting = 0;
  #waiting: { draft: Draft; end: string }[] = [];

  constructor(line: string, depth: number) {
    this.#line = line;
    this.#depth = depth;
  }

  /** Up to `close`, which is taken too, or to the end. */
  readCommands(close: ")" | undefined): void {
    let draft: Draft = { words: [], redirects: [] };
    const finish = () => {
      if (draft.words.length > 0 || draft.redirects.length > 0) this.commands.push(draft);
      draft = { words: [], redirects: [] };
    };
    while (this.#at < this.#line.length) {
      const character = this.#line[this.#at] ?? "";
      const redirect = this.#redirectHere();
      if (redirect !== undefined) {
        this.#readRedirect(redirect, draft);
      } else if (character === close) {
        this.#at += 1;
        break;
      } else if (character === "\n") {
        this.#at += 1;
        this.#readHereDocuments();
        finish();
      } else if (";&|()".includes(character)) {
        this.#at += 1;
        finish();
        if (character === "(") this.#nested(() => this.readCommands(")"));
      } else if (character === " " || character === "\t" || character === "\r") {
        this.#at += 1;
      } else if (character === "#") {
        const end = this.#line.indexOf("\n", this.#at);
        this.#at = end < 0 ? this.#line.length : end;
      } else {
        draft.words.push(this.#readWord());
      }
    }
    finish();
  }

  #redirectHere(): string | undefined {
    REDIRECT_OPERATOR.lastIndex = this.#at;
    return REDIRECT_OPERATOR.exec(this.#line)?.[0];
  }

  #readRedirect(operator: string, draft: Draft): void {
    this.#at += operator.length;
    if (operator.endsWith("(")) {
      this.#nested(() => this.readCommands(")"));
      return;
    }
    while (/[ \t]/.test(this.#line[this.#at] ?? "")) this.#at += 1;
    const target = this.#readWord();
    if (/<<-?$/.test(operator)) this.#waiting.push({ draft, end: target.text });
    else if (/[<>]&$/.test(operator) && /^(?:\d+|-)$/.test(target.text)) return;
    else if (!operator.endsWith("<<<")) draft.redirects.push({ writes: operator.includes(">"), target });
  }

  #readHereDocuments(): void {
    for (const { draft, end } of this.#waiting.splice(0)) {
      const lines: string[] = [];
      while (this.#at < this.#line.length) {
        const stop = this.#line.indexOf("\n", this.#at);
        const line = this.#line.slice(this.#at, stop < 0 ? undefined : stop);
        this.#at = stop < 0 ? this.#line.length : stop + 1;
        if (line.replace(/^\t+/, "") === end) break;
        lines.push(line);
      }
      draft.input = lines.join("\n");
    }
  }

  #readWord(): Word {
    let text = "";
    let expands = false;
    let quoted = false;
    while (this.#at < this.#line.length) {
      const character = this.#line[this.#at] ?? "";
      if (/[\s;&|()<>]/.test(character)) break;
      if (character === "'" || character === '"') {
        quoted = true;
        this.#at += 1;
        if (character === "'") text += this.#upTo("'");
        else {
          const inner = this.#readQuoted();
          text += inner.text;
          expands ||= inner.expands;
        }
      } else if (character === "\\") {
        quoted = true;
        if (this.#line[this.#at + 1] !== "\n") text += this.#line[this.#at + 1] ?? "";
        this.#at += 2;
      } else if (character === "$" || character === "`") {
        const expansion = this.#readExpansion();
        text += expansion.text;
        expands ||= expansion.expands;
      } else {
        text += character;
        this.#at += 1;
      }
    }
    return { text, expands, quoted };
  }

  #readQuoted(): { text: string; expands: boolean } {
    let text = "";
    let expands = false;
    while (this.#at < this.#line.length) {
      const character = this.#line[this.#at] ?? "";
      if (character === '"') {
        this.#at += 1;
        break;
      }
      if (character === "\\") {
        const next = this.#line[this.#at + 1] ?? "";
        text += '"\\$`'.includes(next) ? next : next === "\n" ? "" : `\\${next}`;
        this.#at += 2;
      } else if (character === "$" || character === "`") {
        const expansion = this.#readExpansion();
        text += expansion.text;
        expands ||= expansion.expands;
      } else {
        text += character;
        this.#at += 1;
      }
    }
    return { text, expands };
  }

  /** At a `$` or a backtick. The commands in it are read; its value stays unknown, but for `$HOME`. */
  #readExpansion(): { text: string; expands: boolean } {
    const rest = this.#line.slice(this.#at, this.#at + LONGEST_NAME);
    if (rest.startsWith("`")) {
      this.#at += 1;
      this.commands.push(...parseDeeper(this.#upTo("`").replace(/\\([`\\$])/g, "$1"), this.#depth + this.#nesting));
      return { text: "", expands: true };
    }
    if (rest.startsWith("$(")) {
      this.#at += 2;
      this.#nested(() => this.readCommands(")"));
      return { text: "", expands: true };
    }
    if (rest.startsWith("$'")) {
      this.#at += 2;
      return { text: this.#upTo("'"), expands: false };
    }
    const name = /^\$(?:\{(\w+)\}|(\w+))/.exec(rest);
    if (name) {
      this.#at += name[0].length;
      return (name[1] ?? name[2]) === "HOME" ? { text: "~", expands: false } : { text: name[0], expands: true };
    }
    if (rest.startsWith("${")) {
      this.#at += 2;
      return { text: `\${${this.#upTo("}")}}`, expands: true };
    }
    this.#at += 1;
    return { text: "$", expands: false };
  }

  #upTo(close: string): string {
    const start = this.#at;
    const end = this.#line.indexOf(close, start);
    this.#at = end < 0 ? this.#line.length : end + 1;
    return this.#line.slice(start, end < 0 ? undefined : end);
  }

  /** A line nested deeper than anyone writes is left unread: it ends here instead of the stack. */
  #nested(read: () => void): void {
    if (this.#depth + this.#nesting >= DEEPEST) {
      this.#at = this.#line.length;
      return;
    }
    this.#nesting += 1;
    read();
    this.#nesting -= 1;
  }
}

const LONGEST_NAME = 256;
const REDIRECT_OPERATOR = /(?:\d*(?:<<<|<<-|<<|<>|<&|<\(|<|>>|>\||>&|>\(|>)|&>>|&>)/y;

function parseDeeper(line: string, depth: number): SimpleCommand[] {
  return depth >= DEEPEST ? [] : parseCommandLine(line, depth + 1);
}
