/**
 * Lists of the settings that are saved whole. Changes go one after the other, each of the list as it is then: one that is made
 * from an older list would bring back what the one before took out.
 */
import { client } from "../data/connection.ts";

let last: Promise<unknown> = Promise.resolve();

/** Removes an image from those that are sent. */
export function removeImage(thread: string, path: string): Promise<void> {
  return inTurn(async () => {
    const { screenshots } = await client.getSettings(thread, {});
    await client.changeSettings(thread, { screenshots: screenshots.filter((each) => each.path !== path) });
  });
}

/** Changes the working set, a list of paths. */
export function changeFiles(thread: string, change: (paths: readonly string[]) => readonly string[]): Promise<void> {
  return inTurn(async () => {
    const { files } = await client.getSettings(thread, {});
    await client.changeSettings(thread, { files: [...change(files.map(({ path }) => path))] });
  });
}

function inTurn(change: () => Promise<void>): Promise<void> {
  const done = last.then(change);
  last = done.catch(() => undefined);
  return done;
}
