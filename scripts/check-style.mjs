// Checks rules of CONTRIBUTING.md that no linter knows: no file above 400 lines, no comment that begins with "What" or "Who",
// and module constants of a fixed value LIKE_THIS.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { root } from "./setup.mjs";

const MOST_LINES = 400;
const FIXED = new Set(["Literal", "TemplateLiteral", "BinaryExpression", "UnaryExpression", "ArrayExpression"]);

const list = ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx", "*.mjs"];
const problems = execFileSync("git", list, { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "" && existsSync(join(root, file)))
  .flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return [...problemsIn(file, text)].map(
      ({ at, problem }) => `${file}:${text.slice(0, at).split("\n").length}: ${problem}`,
    );
  });
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}

function* problemsIn(file, text) {
  if (text.split("\n").length - 1 > MOST_LINES)
    yield { at: text.length, problem: `more than ${MOST_LINES} lines: look for the second idea in it` };
  const { program, comments } = parseSync(file, text);
  for (const { value, start } of comments)
    if (/^[\s*]*(What|Who|Whoever|Whatever) /.test(value))
      yield { at: start, problem: "the comment begins with What or Who: name the thing" };
  if (!file.startsWith("packages/") || /\.test\.tsx?$|\/testing\//.test(file)) return;
  for (const { id, init } of program.body.flatMap(constants))
    if (id.type === "Identifier" && FIXED.has(plainValue(init).type) && !/^[A-Z][A-Z0-9_]*$/.test(id.name))
      yield { at: id.start, problem: `write the constant ${id.name} LIKE_THIS` };
}

function constants(statement) {
  const declaration = statement.declaration ?? statement;
  return declaration.type === "VariableDeclaration" && declaration.kind === "const" ? declaration.declarations : [];
}

/** The value without `as const` and `satisfies`. */
function plainValue(init) {
  return init?.type === "TSAsExpression" || init?.type === "TSSatisfiesExpression"
    ? plainValue(init.expression)
    : (init ?? {});
}
