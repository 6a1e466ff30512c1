import { openConfig } from "@retake/runtime";

/** The part of the configuration about the screen. In a file of its own, because what it loads takes longer than the first frame. */
export async function readScreenConfig(directory: string) {
  const { tui } = await openConfig(directory);
  return tui;
}
