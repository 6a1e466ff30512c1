import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, expect, test } from "vitest";
import { amount, SEED, seeds } from "../../../../testing/budget.ts";
import { connect } from "../database/connect.ts";
import { fileSchema } from "../file-schema.ts";
import type { FileTree } from "../model/model.ts";
import { treeId } from "../model/tree-id.ts";
import { ObjectStore } from "../objects/object-store.ts";
import { defaultLimits } from "../scan/entry-looks.ts";
import type { Hints } from "../scan/suspect-paths.ts";
import { GitOracle } from "../testing/git-oracle.ts";
import { growTree, mutateTree, randomFrom } from "../testing/random-tree.ts";
import { CaptureEngine } from "./capture-engine.ts";
import { readCapture } from "./capture-tree.ts";

const batches = amount("walks", 4, 400);
const perBatch = 50;
const rounds = amount("steps", 3, 8);

const cleanup: (() => void)[] = [];
afterEach(() => {
  for (const each of cleanup.splice(0).reverse()) each();
});

test.each(Array.from({ length: batches }, (_, index) => SEED + index * perBatch))(
  `tree ids are git's for ${perBatch} random trees and after mutations, from seed %i on`,
  (seed) => {
    const place = grow(seed, perBatch);
    let engine = place.newEngine();
    for (let round = 0; round < rounds; round += 1) {
      if (round > 0) place.mutate();
      if (round % 3 === 2) {
        // As after a restart: from the stat cache.
        while (engine.tidy());
        engine = place.newEngine();
      }
      place.check(engine, round);
    }
  },
);

test.each(seeds(amount("walks", 2, 100)))(
  "tree ids are git's whoever of several processes captures and saves the stat cache, seed %i",
  (seed) => {
    const place = grow(seed, 3);
    const random = randomFrom(seed);
    const engines = [place.newEngine(), place.newEngine(), place.newEngine()];
    for (let round = 0; round < 60; round += 1) {
      const which = Math.floor(random() * engines.length);
      const engine = engines[which] as CaptureEngine;
      if (random() < 0.7) place.mutate();
      // An engine with a hint for one file sees no other. The cache it saves must not hide the others.
      if (random() < 0.3) engine.capture(place.writeOne(round));
      else place.check(engine, round);
      // A tool names a file, which it or somebody else writes or deletes; another process may look next.
      if (random() < 0.3) engine.capture(undefined, { named: ["named/deep/file"] });
      const fate = random();
      if (fate < 0.3) place.write("named/deep/file");
      else if (fate < 0.5) place.remove("named");
      if (random() < 0.5) while (engine.tidy());
      if (random() < 0.3) engines[which] = place.newEngine();
    }
  },
);

test("[F24] the files that a tool names are captured although no hint tells of them", () => {
  const place = grow(SEED, 1);
  const engine = place.newEngine();
  engine.capture();
  place.writeOne(1);
  place.write("new/deep/two");
  const named = ["one", "new/deep/two"];
  expect(engine.capture(new Map()).changes).toEqual([]);
  expect(engine.capture(new Map(), { named }).changes.map(({ path }) => path)).toEqual(["new/deep/two", "one"]);
  place.check(engine, 1);
});

test("[F24] [L9] a named file that comes back as the stat cache knows it is captured by the next process", () => {
  const place = grow(SEED, 1);
  const engine = place.newEngine();
  place.write("new/deep/two");
  engine.capture();
  while (engine.tidy());
  place.remove("new");
  engine.capture();
  engine.capture(undefined, { named: ["new/deep/two"] });
  place.write("new/deep/two");
  const next = place.newEngine();
  expect(next.capture().changes).toMatchObject([{ path: "new/deep/two", after: { kind: "file" } }]);
  place.check(next, 1);
});

function grow(seed: number, count: number) {
  const home = mkdtempSync(join(tmpdir(), "retake-trees-"));
  cleanup.push(() => rmSync(home, { recursive: true }));
  const root = join(home, "work");
  const trees = Array.from({ length: count }, (_, index) => {
    const name = String(seed + index);
    mkdirSync(join(root, name), { recursive: true });
    const tree = { name, path: join(root, name), random: randomFrom(seed + index), ignore: (seed + index) % 4 > 0 };
    growTree(tree.random, tree.path, tree);
    return tree;
  });
  const oracle = new GitOracle(root);
  cleanup.push(() => oracle.close());
  const database = connect(join(home, "store.db"), fileSchema);
  const objects = new ObjectStore(database, join(home, "packs"));
  cleanup.push(() => {
    objects.close();
    database.close();
  });
  return {
    mutate(): void {
      for (const tree of trees) mutateTree(tree.random, tree.path, tree);
    },
    write(path: string, content = path): void {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    remove(path: string): void {
      rmSync(join(root, path), { recursive: true, force: true });
    },
    writeOne(round: number): Hints {
      this.write("one", `${round}`);
      return new Map([["", new Set(["one"])]]);
    },
    check(engine: CaptureEngine, round: number): void {
      const files = readCapture(database, engine.capture().id);
      const expected = oracle.treeId();
      if (treeId(files) === expected) return;
      const subtrees = oracle.subtrees(expected);
      const wrong = trees.filter(({ name }) => treeId(below(files, name)) !== (subtrees.get(name) ?? emptyTree));
      expect.fail(`round ${round}: not git's tree for seeds ${wrong.map(({ name }) => name).join(", ")}`);
    },
    newEngine(): CaptureEngine {
      return new CaptureEngine({
        root,
        // As for a command whose current directory is its workspace.
        lookFrom: relative(process.cwd(), root),
        database,
        objects,
        helper: () => undefined,
        limits: defaultLimits,
        caches: [],
        globalExcludes: undefined,
        cancel: new Int32Array(1),
        onProgress: () => {},
        beforeRead: () => {},
        onRemoved: () => {},
      });
    },
  };
}

const emptyTree = treeId({ get: () => undefined, entries: () => [], uncovered: () => undefined });

function below(files: FileTree, directory: string): FileTree {
  return {
    get: (path) => files.get(`${directory}/${path}`),
    uncovered: (path) => files.uncovered(`${directory}/${path}`),
    *entries() {
      for (const [path, state] of files.entries(directory)) yield [path.slice(directory.length + 1), state];
    },
  };
}
