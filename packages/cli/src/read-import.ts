import { createReadStream } from "node:fs";
import { isBundle } from "@retake/runtime";
import { notFound, wrongUsage } from "./command.ts";
import { fileProblem } from "./file-problem.ts";
import { pathIn, type World } from "./world.ts";

/** A document is parsed whole, in several times its size; a bundle is read line by line. */
const LARGEST = { document: 100 * 1024 ** 2, bundle: 1024 ** 3 };

/** The bytes of a file to import, or of the standard input. A pipe or a device may never end, so reading does. */
export async function readImport(world: World, file: string): Promise<Buffer> {
  const name = file === "-" ? "The standard input" : pathIn(world, file);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of file === "-" ? world.input : createReadStream(name)) {
      const bytes = Buffer.from(chunk as Uint8Array | string);
      chunks.push(bytes);
      size += bytes.length;
      const largest = isBundle(chunks[0] ?? bytes) ? LARGEST.bundle : LARGEST.document;
      if (size > largest)
        throw wrongUsage(
          `${name} is larger than ${largest / 1024 ** 2} MB. Nothing was changed. Export it as a bundle.`,
        );
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EISDIR")
      throw wrongUsage(`${name} is a directory. Nothing was changed. Name the file that was exported.`);
    if (typeof (error as NodeJS.ErrnoException).errno !== "number") throw error;
    throw notFound(`${name} ${fileProblem(error, "read")}. Nothing was changed.`);
  }
  return Buffer.concat(chunks, size);
}
