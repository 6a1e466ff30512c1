// Makes the tables that follow from other files: where each route is, and which actions there are. `npm run format` writes
// them; with --check they are only compared, as `npm run check` does. Runs with the pinned Node, which reads TypeScript.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { routes } from "../packages/client/src/routes.ts";
import { root } from "./setup.mjs";

const ACTIONS = "packages/runtime/src/actions";
const tables = { "packages/client/src/endpoints.ts": endpoints(), [`${ACTIONS}/all.ts`]: actions() };

for (const [file, text] of Object.entries(tables)) {
  const path = join(root, file);
  if (readFileSync(path, "utf8") === text) continue;
  if (process.argv.includes("--check")) {
    console.error(`${file} does not follow from the routes and actions any more: npm run format writes it.`);
    process.exitCode = 1;
  } else writeFileSync(path, text);
}

function endpoints() {
  const lines = Object.entries(routes).map(([name, { method, path, body, query, stream }]) => {
    const input = body ? ', input: "body"' : query ? ', input: "query"' : "";
    return `  ${name}: { method: "${method}", path: "${path}"${input}${stream ? ", stream: true" : ""} },`;
  });
  return `// Made from routes/ by scripts/generate.mjs.
import type { Endpoint } from "./route.ts";
import type { RouteName } from "./routes.ts";

/** Where every route is. */
export const endpoints = {
${lines.join("\n")}
} as const satisfies Readonly<Record<RouteName, Endpoint>>;
`;
}

/** Every file of the folder is an action, but for those about all of them. */
function actions() {
  const names = readdirSync(join(root, ACTIONS)).filter((name) => /(?<!^(action|all|index))\.ts$/.test(name));
  const lines = names
    .sort(byModule)
    .map((name) => `export { action as ${camelCase(name.slice(0, -3))} } from "./${name}";`);
  return `// Made from the files beside it by scripts/generate.mjs.\n${lines.join("\n")}\n`;
}

/** The order in which the formatter sorts modules. */
function byModule(one, other) {
  return one.replace(".ts", "") < other.replace(".ts", "") ? -1 : 1;
}

function camelCase(name) {
  return name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());
}
