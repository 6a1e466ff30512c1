import { client } from "../data/connection.ts";
import { toBase64 } from "../parts/to-base64.ts";

/** Adds images to those that are sent with every request. The server checks what they are. */
export async function addImages(thread: string, files: Iterable<File>): Promise<void> {
  for (const file of files)
    await client.addScreenshot(thread, {
      content: toBase64(new Uint8Array(await file.arrayBuffer())),
      name: file.name.slice(0, 300),
    });
}
