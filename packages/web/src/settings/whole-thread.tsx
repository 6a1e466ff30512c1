import type { TakenBack } from "@retake/client/screen";
import { useState } from "react";
import { useLocation } from "wouter";
import { attempt } from "../commands/way-back.ts";
import { client } from "../data/connection.ts";
import { say, sayError } from "../data/notices.ts";
import { messageOf } from "../data/session.ts";
import { toBase64 } from "../parts/to-base64.ts";

const FORMATS = [
  ["json", "JSON"],
  ["toml", "retake.toml"],
  ["markdown", "Markdown"],
  ["bundle", "Bundle with files"],
] as const;

/** Changes of the thread as a whole: each is one step, and can be taken back. */
export function WholeThread({ thread }: { readonly thread: string }) {
  const [pairs, setPairs] = useState(10);
  const [, go] = useLocation();
  const doStep = (text: string, step: () => Promise<TakenBack>) => attempt(thread, text, step, "Bring everything back");
  const importFile = async (file: File) => {
    try {
      const content = toBase64(new Uint8Array(await file.arrayBuffer()));
      const { threads } = await client.importThreads({ encoding: "base64", content });
      say(`Imported ${threads.map(({ title }) => title).join(", ")}.`);
      if (threads[0]) go(`/t/${threads[0].id}`);
    } catch (error) {
      sayError(messageOf(error));
    }
  };
  return (
    <div className="flex flex-col gap-2 border-t border-line px-4 py-3">
      <h3 className="text-sm font-medium">The thread as a whole</h3>
      <div className="flex flex-wrap items-center gap-1">
        <button
          type="button"
          className="button"
          onClick={() => void doStep(`Kept the last ${pairs} pairs.`, () => client.truncate(thread, { pairs }))}
        >
          Keep only the last
        </button>
        <input
          className="field w-16"
          type="number"
          min={0}
          aria-label="Pairs to keep"
          value={pairs}
          onChange={(event) => setPairs(Number(event.target.value))}
        />
        <span className="text-sm">pairs</span>
      </div>
      <div className="flex flex-wrap gap-1">
        <button
          type="button"
          className="button"
          onClick={() => void doStep("Summarised the older part.", () => client.compress(thread, {}))}
        >
          Compress
        </button>
        <button
          type="button"
          className="button"
          onClick={() => void doStep("Removed all entries of this take.", () => client.clear(thread, {}))}
        >
          Clear the conversation
        </button>
        <button
          type="button"
          className="button"
          onClick={() => void doStep("The thread was reset.", () => client.reset(thread, {}))}
        >
          Reset
        </button>
      </div>
      <p className="text-muted text-xs">
        Reset clears the conversation of all takes, the settings and the lists. Your files, the saves and the history
        stay, and one undo brings everything back.
      </p>
      <div className="flex flex-wrap gap-1">
        {FORMATS.map(([format, title]) => (
          <button key={format} type="button" className="button" onClick={() => void download(thread, format)}>
            {`Export ${title}`}
          </button>
        ))}
        <label className="button">
          Import a file
          <input
            type="file"
            className="sr-only"
            aria-label="Import a file"
            onChange={(event) => {
              const [file] = event.target.files ?? [];
              if (file) void importFile(file);
              event.target.value = "";
            }}
          />
        </label>
      </div>
    </div>
  );
}

async function download(thread: string, format: (typeof FORMATS)[number][0]): Promise<void> {
  try {
    const { name, encoding, content, held_back } = await client.exportThread(thread, { format });
    const bytes = encoding === "base64" ? Uint8Array.from(atob(content), (each) => each.charCodeAt(0)) : content;
    const url = URL.createObjectURL(new Blob([bytes]));
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    say(`Exported ${name}${held_back.length > 0 ? `; ${held_back.length} ignored files were held back` : ""}.`);
  } catch (error) {
    sayError(messageOf(error));
  }
}
