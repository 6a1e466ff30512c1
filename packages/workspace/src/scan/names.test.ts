import { expect, test } from "vitest";
import { Names } from "./names.ts";

const lists = [[], ["a"], [".git", ".gitignore", "a b", 'c"\n', "\xe2\x98\x83"].sort()];

test.each(lists.map((list) => [list]))("[F53] the names %j are the same as a list and as one string", (list) => {
  for (const names of [new Names(list), new Names(list.join("/"))]) {
    const visited: string[] = [];
    names.forEach((name, index) => {
      visited[index] = name;
    });
    expect(visited).toEqual(list);
    expect(names.list).toEqual(list);
    expect(list.map((name) => names.indexOf(name))).toEqual([...list.keys()]);
  }
});

test("[F53] a part of a name is no name", () => {
  const names = new Names(".gitignored/x.gitignore");
  expect([names.includes(".gitignore"), names.indexOf("x")]).toEqual([false, -1]);
  expect(names.includes("x.gitignore")).toBe(true);
});
