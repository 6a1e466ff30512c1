import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const turns = [
  {
    steps: [
      {
        thinking: "A Markdown list is enough to begin with.",
        text: "I will start the list with three items.",
        tool_calls: [
          {
            name: "write",
            input: {
              path: "todo.md",
              content: "# Todo\n\n- [ ] write the docs\n- [ ] fix the login\n- [x] set up the project\n",
            },
          },
        ],
      },
      { text: "Done. `todo.md` has three items, one of them done." },
    ],
  },
  {
    steps: [
      {
        text: "A small shell script can do that.",
        tool_calls: [
          { name: "write", input: { path: "count.sh", content: "#!/bin/sh\ngrep -c '\\[ \\]' todo.md\n" } },
          {
            name: "edit",
            input: {
              path: "todo.md",
              old_text: "- [ ] fix the login",
              new_text: "- [ ] fix the login\n- [ ] count open items",
            },
          },
          { name: "bash", input: { command: "sh count.sh" } },
        ],
      },
      { text: "The script prints **3**, and I added the item that you asked for to the list." },
    ],
  },
  {
    steps: [
      {
        text: "`count.sh` counts the lines of `todo.md` that have an empty box:\n\n```sh\n#!/bin/sh\n# -c prints the number of matching lines\ngrep -c '\\[ \\]' todo.md\n```\n\n- `[ ]` is an open item\n- `[x]` is one that is done, which is not counted",
      },
    ],
  },
  { steps: [{ text: "I will push it.", tool_calls: [{ name: "bash", input: { command: "git push origin main" } }] }] },
];

/** The script for the scripted model, as a file, for the pictures. */
export const SCRIPT = join(mkdtempSync(join(tmpdir(), "retake-script-")), "script.json");
writeFileSync(SCRIPT, JSON.stringify({ turns }));
