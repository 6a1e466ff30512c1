/** The page of a link to a shared thread. The sync server serves it; it has no part of the page for one's own threads. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { openShare } from "./open-share.ts";
import { SharedThread } from "./shared-thread.tsx";
import "../styles.css";
import "./reader.css";

const element = document.getElementById("root");
if (!element) throw new Error("the page has no #root");
const root = createRoot(element);

async function show(): Promise<void> {
  root.render(<p role="status">Opening the thread …</p>);
  const opened = await openShare(new URL(location.href));
  if (opened.kind === "opened") document.title = opened.document.title;
  root.render(
    <StrictMode>
      {opened.kind === "opened" ? (
        <SharedThread document={opened.document} />
      ) : (
        <main className="shared">
          <p role="alert">{opened.message}</p>
        </main>
      )}
    </StrictMode>,
  );
}

addEventListener("hashchange", () => void show());
void show();
