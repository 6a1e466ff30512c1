/** The arguments of a program, told apart: options, their values, and the rest. */
export class ProgramArguments {
  readonly words: readonly string[];
  /** The words that are neither options nor their values. */
  readonly operands: readonly string[];

  /** `takes`: options whose value is the next word. */
  constructor(words: readonly string[], takes: readonly string[] = []) {
    this.words = words;
    const operands: string[] = [];
    for (let at = 0; at < this.words.length; at += 1) {
      const word = this.words[at] ?? "";
      if (word === "--") {
        operands.push(...this.words.slice(at + 1));
        break;
      }
      if (word.startsWith("-") && word.length > 1) {
        if (takes.includes(word)) at += 1;
      } else {
        operands.push(word);
      }
    }
    this.operands = operands;
  }

  /** Whether an option is given: `--name`, `--name=value`, `-x`, and `-x` among others as in `-axf`. */
  has(...options: readonly string[]): boolean {
    return this.words.some((word) =>
      options.some((option) => {
        if (word === option || (option.startsWith("--") && word.startsWith(`${option}=`))) return true;
        return /^-\w$/.test(option) && /^-\w+$/.test(word) && word.includes(option.charAt(1));
      }),
    );
  }

  /** The value of an option, in the next word or joined to it. */
  value(...options: readonly string[]): string | undefined {
    for (const [index, word] of this.words.entries()) {
      for (const option of options) {
        const among = /^-\w$/.test(option) && /^-\w+$/.test(word) && word.endsWith(option.charAt(1));
        if (word === option || among) return this.words[index + 1];
        if (option.startsWith("--") && word.startsWith(`${option}=`)) return word.slice(option.length + 1);
        if (/^-\w$/.test(option) && word.startsWith(option)) return word.slice(2);
      }
    }
    return undefined;
  }

  /** Whether the operands begin with these words. */
  begins(words: string): boolean {
    return words.split(" ").every((word, index) => this.operands[index] === word);
  }
}

export function isDryRun(given: ProgramArguments): boolean {
  return given.words.some((word) => /^--dry-?run(?:=(?:client|server|true))?$/.test(word));
}
