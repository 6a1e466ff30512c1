import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CliSession } from "./testing/cli-session.ts";

const session = new CliSession();

beforeAll(async () => {
  session.write("a.txt", "from before\n");
  await session.thread("login", "printf 'one\\n' >> a.txt", "printf 'two\\n' >> a.txt; : > empty.txt");
  session.write("a.txt", "from before\none\nmine\ntwo\n");
});
afterAll(() => session.remove());

describe("retake blame", () => {
  test("[X11] shows the turn, or who else, that wrote each line, and the prompts of the turns", async () => {
    expect(await session.text("blame", "a.txt")).toBe(`older    1  from before
#1       2  one
outside  3  mine
#2       4  two

#1  printf 'one\\n' >> a.txt
#2  printf 'two\\n' >> a.txt; : > empty.txt
  retake show <turn> · retake log <turn> · retake revert <turn> --path <path>
`);
  });

  test("[X11] shows the lines of a past point, and answers programs with runs of lines", async () => {
    expect(await session.text("blame", "a.txt", "--at", "1")).toMatch(
      /^older {2}1 {2}from before\n#1 {5}2 {2}one\n\n#1/,
    );
    expect(await session.json("blame", "a.txt", "--at", "1")).toEqual({
      path: "a.txt",
      lines: [
        { start: 1, lines: 1, by: "before" },
        { start: 2, lines: 1, by: "turn", turn_id: expect.any(String), turn_name: "#1" },
      ],
      turns: [{ id: expect.any(String), name: "#1", prompt: "printf 'one\\n' >> a.txt" }],
    });
  });

  test("says of an empty file, a directory and a file that is not there what they are", async () => {
    expect(await session.text("blame", "empty.txt")).toBe("empty.txt is empty.\n");
    for (const path of [".", "nothing.txt"])
      expect(await session.call("blame", path)).toMatchObject({ status: 4, stdout: "" });
  });
});
