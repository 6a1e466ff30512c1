// `node scripts/screenshots.mjs`: makes the pictures of the README from the built package, so that they show what it is.
// `node scripts/screenshots.mjs <directory> [screen …]`: makes one of every screen, in both themes and three widths, to be looked at;
// of some also in high contrast; and of the pages before the first thread and before signing in.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./setup.mjs";

const { fillScreens, openEmptyPlace } = await import("../e2e/web/screens.ts");
const [folder, ...wanted] = process.argv.slice(2);
const target = folder ?? join(root, "docs", "images");
mkdirSync(target, { recursive: true });

/** The screens of the README, and the names of their pictures. */
const PICTURES = [
  ["changes", "thread"],
  ["conflict", "undo"],
];
const SIZES = [
  [1440, 900],
  [1024, 768],
  [390, 844],
];

/** Screens that use every colour between them. */
const CONTRAST = ["thread", "conflict", "changes", "settings"];

const { place, close } = await openEmptyPlace();
try {
  const page = await place.page("/");
  const picture = async (name) => {
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path: join(target, `${name}.png`) });
  };
  /** In both themes and all widths. */
  const everyLook = async (take) => {
    for (const [width, height] of SIZES)
      for (const colorScheme of ["light", "dark"]) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme });
        await take(`${width}-${colorScheme}`);
      }
  };
  const isWanted = (name) => folder !== undefined && (wanted.length === 0 || wanted.includes(name));
  if (isWanted("welcome")) {
    await page.getByRole("heading", { name: "Everything here can be taken back" }).waitFor();
    await everyLook((look) => picture(`welcome-${look}`));
  }
  const screens = await fillScreens(place);
  const show = async (name, theme) => {
    const screen = screens.find((each) => each.name === name);
    await page.evaluate((chosen) => {
      localStorage.clear();
      sessionStorage.clear();
      if (chosen) localStorage.setItem("retake-theme", chosen);
    }, theme);
    await page.goto(place.served.url + screen.address);
    await screen.open(page);
    // The inspector has what it asks for.
    await page.waitForFunction(() => !/(?:Looking|Loading) …/.test(document.body.innerText));
  };
  if (folder === undefined) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
    for (const [name, file] of PICTURES) {
      await show(name);
      await picture(file);
    }
  }
  await everyLook(async (look) => {
    for (const { name } of screens) {
      if (!isWanted(name)) continue;
      await show(name);
      await picture(`${name}-${look}`);
      if (!CONTRAST.includes(name) || !look.startsWith("1440")) continue;
      await show(name, "contrast");
      await picture(`${name}-${look}-contrast`);
    }
  });
  if (isWanted("sign-in")) {
    await page.context().clearCookies();
    await page.goto(place.served.url);
    await page.getByRole("heading", { name: "Not signed in" }).waitFor();
    await everyLook((look) => picture(`sign-in-${look}`));
  }
} finally {
  await close();
}
