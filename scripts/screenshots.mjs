// `node scripts/screenshots.mjs`: makes the pictures of the README from the built package, so that they show what it is.
// `node scripts/screenshots.mjs <directory> [screen …]`: makes one of every screen, in both themes and three widths, to be looked at.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./setup.mjs";

const { openScreens } = await import("../e2e/web/screens.ts");
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

const { place, screens } = await openScreens();
try {
  const page = await place.page("/");
  const shoot = async (screen, name) => {
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await page.goto(place.served.url + screen.address);
    await screen.open(page);
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path: join(target, `${name}.png`) });
  };
  if (folder === undefined) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
    for (const [name, picture] of PICTURES)
      await shoot(
        screens.find((screen) => screen.name === name),
        picture,
      );
  } else
    for (const [width, height] of SIZES)
      for (const colorScheme of ["light", "dark"]) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme });
        for (const screen of screens)
          if (wanted.length === 0 || wanted.includes(screen.name))
            await shoot(screen, `${screen.name}-${width}-${colorScheme}`);
      }
} finally {
  await place.close();
}
