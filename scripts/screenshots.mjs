// `node scripts/screenshots.mjs [directory]`: makes the pictures of the README from the built package, so that they show
// what it is. With a directory it makes one of every screen, in both themes and three widths, to be looked at.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./setup.mjs";

const { WebPlace } = await import("../e2e/web/web-place.ts");
const { SCRIPT } = await import("../e2e/web/shown-script.ts");
const [folder] = process.argv.slice(2);
const target = folder ?? join(root, "docs", "images");
mkdirSync(target, { recursive: true });

const place = await WebPlace.open({ RETAKE_SCRIPT: SCRIPT });
try {
  const other = await place.thread("Say hello");
  await place.served.client().changeThread(other, { title: "Release notes", pinned: true });
  const thread = await place.thread("Start a todo list in todo.md", "Add a script that counts the open items");
  await place.served.client().changeThread(thread, { title: "Todo list" });
  await place.served.turn(thread, "Explain what it does");
  const page = await place.page(`/t/${thread}`);
  const shoot = (name) => page.screenshot({ path: join(target, `${name}.png`) });
  await page.getByText("counts the lines").first().waitFor();
  if (folder === undefined) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: "light" });
    await shoot("thread");
    await page.getByRole("button", { name: "Undo to before #2" }).click();
    await page.getByText("Preview: nothing has changed yet").waitFor();
    await page.getByTestId("plan-counts").getByText("turn").waitFor();
    await shoot("undo");
  } else await everyScreen(page, shoot);
} finally {
  await place.close();
}

async function everyScreen(page, shoot) {
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [390, 844],
  ]) {
    for (const colorScheme of ["light", "dark"]) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.reload();
      await page.getByText("counts the lines").first().waitFor();
      await shoot(`${width}-${colorScheme}-thread`);
      await page.keyboard.press("Control+Alt+z");
      await page.getByTestId("plan-counts").getByText("turn").waitFor();
      await shoot(`${width}-${colorScheme}-undo`);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").waitFor();
      await shoot(`${width}-${colorScheme}-palette`);
      await page.keyboard.press("Escape");
    }
  }
}
