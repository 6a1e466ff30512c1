import { useState } from "react";
import { client } from "../data/connection.ts";
import { messageOf } from "../data/session.ts";
import { useAnswer } from "../data/use-answer.ts";
import { Icon } from "../parts/icon.tsx";
import { addImages } from "./add-images.ts";
import { removeImage } from "./change-lists.ts";

interface Image {
  readonly path: string;
  readonly [key: string]: unknown;
}

/** Images that are sent with every request. They are pasted, dropped, or chosen. */
export function ImageList({ thread, images }: { readonly thread: string; readonly images: readonly Image[] }) {
  const [refusal, setRefusal] = useState<string>();
  const add = async (files: Iterable<File>) => {
    try {
      await addImages(thread, files);
      setRefusal(undefined);
    } catch (error) {
      setRefusal(messageOf(error));
    }
  };
  const remove = async (path: string) => {
    try {
      await removeImage(thread, path);
    } catch (error) {
      setRefusal(messageOf(error));
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping and pasting have a button beside them
    <div
      className="border-b border-line px-4 py-3"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void add(event.dataTransfer.files);
      }}
      onPaste={(event) => void add(event.clipboardData.files)}
    >
      <h3 className="text-sm font-medium">Screenshots</h3>
      <p className="text-muted text-xs">Sent with every request. Paste or drop an image here, or choose one.</p>
      <ul className="flex flex-wrap gap-2 py-2" aria-label="Screenshots">
        {images.map(({ path, name }) => (
          <Thumbnail
            key={path}
            thread={thread}
            path={path}
            name={typeof name === "string" && name !== "" ? name : path}
            onRemove={() => void remove(path)}
          />
        ))}
      </ul>
      <label className="button">
        Choose an image
        <input
          type="file"
          className="sr-only"
          aria-label="Choose an image"
          accept="image/png,image/jpeg,image/gif,image/webp"
          multiple
          onChange={(event) => {
            void add([...(event.target.files ?? [])]);
            event.target.value = "";
          }}
        />
      </label>
      {refusal && (
        <p role="alert" className="text-bad text-xs">
          {refusal}
        </p>
      )}
    </div>
  );
}

function Thumbnail(props: {
  readonly thread: string;
  readonly path: string;
  readonly name: string;
  readonly onRemove: () => void;
}) {
  const { thread, path, name, onRemove } = props;
  const { answer, failure } = useAnswer(() => client.getScreenshot(thread, { path }), [thread, path]);
  return (
    <li className="relative">
      {answer ? (
        <img
          className="h-20 rounded-md border border-line object-cover"
          src={`data:${answer.media_type};base64,${answer.content}`}
          alt={name}
        />
      ) : (
        <p className="text-muted h-20 w-28 text-xs break-all">{failure ?? name}</p>
      )}
      <button
        type="button"
        className="icon-button bg-surface absolute top-0 right-0"
        aria-label={`Remove the screenshot ${name}`}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}
