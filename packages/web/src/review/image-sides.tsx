import { useEffect, useState } from "react";
import { client } from "../data/connection.ts";
import { messageOf } from "../data/session.ts";
import type { DiffedFile } from "./hunks.tsx";

const TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  bmp: "image/bmp",
  ico: "image/x-icon",
};
/** A route answers with at most this many bytes at once. */
const PART = 4 * 1024 * 1024;
const MOST_PARTS = 8;

export function isImage(path: string): boolean {
  return typeOf(path) !== undefined;
}

interface Props {
  readonly thread: string;
  readonly file: DiffedFile;
  /** The two moments, as the route of files takes them. */
  readonly from: string;
  readonly to: string;
}

/** A changed image: as it was and as it is, beside each other. */
export function ImageSides({ thread, file, from, to }: Props) {
  const { path, old_path = path, status } = file;
  return (
    <div className="image-sides">
      {status !== "added" && <Side thread={thread} title="Before" path={old_path} at={from} change={file.change} />}
      {status !== "removed" && <Side thread={thread} title="After" path={path} at={to} change={file.change} />}
    </div>
  );
}

function Side(props: {
  readonly thread: string;
  readonly title: string;
  readonly path: string;
  readonly at: string;
  readonly change: string;
}) {
  const { thread, title, path, at, change } = props;
  const [image, setImage] = useState<{ readonly url: string; readonly size: number }>();
  const [pixels, setPixels] = useState("");
  const [failure, setFailure] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `change` says when the contents are other ones
  useEffect(() => {
    let url: string | undefined;
    let gone = false;
    readImage(thread, path, at).then(
      (blob) => {
        if (gone) return;
        url = URL.createObjectURL(blob);
        setImage({ url, size: blob.size });
      },
      (error: unknown) => !gone && setFailure(messageOf(error)),
    );
    return () => {
      gone = true;
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [thread, path, at, change]);
  const size = image ? ` · ${Math.ceil(image.size / 1024).toLocaleString("en")} kB` : "";
  return (
    <figure>
      <figcaption>{`${title}${pixels}${size}`}</figcaption>
      {failure ? (
        <p className="text-muted text-xs">{failure}</p>
      ) : (
        image && (
          <img
            src={image.url}
            alt={`${title}: ${path}`}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setPixels(` · ${naturalWidth} × ${naturalHeight}`)
            }
            onError={() => setFailure("This browser cannot show it.")}
          />
        )
      )}
    </figure>
  );
}

async function readImage(thread: string, path: string, at: string): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let offset = 0; parts.length < MOST_PARTS; ) {
    const part = await client.readFile(thread, { path, at, offset, limit: PART });
    const bytes =
      part.encoding === "utf8"
        ? new TextEncoder().encode(part.content)
        : Uint8Array.from(atob(part.content), (letter) => letter.charCodeAt(0));
    parts.push(bytes);
    offset += bytes.length;
    if (!part.more) return new Blob(parts, { type: typeOf(path) ?? "" });
  }
  throw new Error("It is too large to be shown.");
}

function typeOf(path: string): string | undefined {
  return TYPES[path.slice(path.lastIndexOf(".") + 1).toLowerCase()];
}
