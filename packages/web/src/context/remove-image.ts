import { client } from "../data/connection.ts";

let last: Promise<unknown> = Promise.resolve();

/**
 * Removes an image from those that are sent. The whole list is saved, so removals go one after the other, each from the list as
 * it is then: one that is made from an older list would bring an image back.
 */
export function removeImage(thread: string, path: string): Promise<void> {
  const removed = last.then(async () => {
    const { screenshots } = await client.getSettings(thread, {});
    await client.changeSettings(thread, { screenshots: screenshots.filter((each) => each.path !== path) });
  });
  last = removed.catch(() => undefined);
  return removed;
}
