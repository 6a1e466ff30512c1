/** The requirements of every provider's JSON parser. */
export function jsonProblems(request: unknown): string[] {
  const problems: string[] = [];
  const visit = (value: unknown, path: string, depth: number): void => {
    if (depth > 40) problems.push(`${path}: nested too deep`);
    else if (typeof value === "string" && !value.isWellFormed()) problems.push(`${path}: invalid Unicode`);
    else if (typeof value === "number" && !Number.isFinite(value)) problems.push(`${path}: not a number`);
    else if (typeof value === "object" && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        if (!key.isWellFormed()) problems.push(`${path}: invalid Unicode in a key`);
        visit(member, `${path}.${key}`, depth + 1);
      }
    }
  };
  visit(request, "request", 0);
  return problems;
}

/** Only whitespace, by JavaScript's or by Python's definition. */
export function isBlank(text: string): boolean {
  const python = ["\u001c", "\u001d", "\u001e", "\u001f", "\u0085"];
  return [...text].every((character) => character.trim() === "" || python.includes(character));
}

export function isPlainObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
