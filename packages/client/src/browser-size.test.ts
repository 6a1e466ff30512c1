import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";

const LARGEST = 20_000;
const ENTRY = "screen";

/** All of the client, and the part of the core that reads a state: what a page is built with. */
const SCREEN = `
  export * from ${JSON.stringify(fileURLToPath(new URL("./index.ts", import.meta.url)))};
  export {
    activeTake, baseName, entries, entryAt, entryById, entryCount, liveTakes, pathsIn, recordOf, recordsOf, roles,
    runningTurn, setting, settings, takeById, takes, tree, turn,
  } from ${JSON.stringify(fileURLToPath(new URL("../../core/src/index.ts", import.meta.url)))};
`;

test("[S5] the browser's part of client and core is at most 20 kB, and no schema is in it", async () => {
  const bundle = await rolldown({
    input: ENTRY,
    platform: "browser",
    plugins: [
      {
        name: "screen",
        resolveId: (id) => (id === ENTRY ? id : undefined),
        load: (id) => (id === ENTRY ? SCREEN : undefined),
      },
    ],
  });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  await bundle.close();
  const modules = output.flatMap((each) => (each.type === "chunk" ? each.moduleIds : []));
  const code = output.map((each) => (each.type === "chunk" ? each.code : "")).join("");
  expect(output).toHaveLength(1);
  expect(modules.filter((id) => /zod|\/routes\/|\/wire\/(?!.*format|versioned)/.test(id))).toEqual([]);
  expect(modules.filter((id) => /node_modules\/(?!eventsource-parser\/)/.test(id))).toEqual([]);
  const size = gzipSync(code, { level: 9 }).length;
  console.log(`client and core for a browser: ${size} bytes`);
  expect(size).toBeLessThan(LARGEST);
});
