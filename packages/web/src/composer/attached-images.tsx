import { pathsIn } from "@retake/core";
import { removeImage } from "../context/change-lists.ts";
import { sayError } from "../data/notices.ts";
import { messageOf, type Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { showTab } from "../data/view-state.ts";
import { Icon } from "../parts/icon.tsx";

/** The images that are sent with the prompt, as chips. Choosing one shows them all. */
export function AttachedImages({ session }: { readonly session: Session }) {
  const view = useStore(session.store, (state) => state.view);
  const images = view ? pathsIn(view.state, view.take, "screenshot") : [];
  if (images.length === 0) return null;
  const nameOf = ({ path, name }: (typeof images)[number]) => (typeof name === "string" && name !== "" ? name : path);
  const remove = (path: string) => removeImage(session.thread, path).catch((error) => sayError(messageOf(error)));
  return (
    <ul className="queue" aria-label="Images that are sent">
      {images.map((image) => (
        <li key={image.path} className="chip">
          <button type="button" title="Sent with every request. Show them" onClick={() => showTab("context")}>
            {nameOf(image)}
          </button>
          <button type="button" aria-label={`Do not send ${nameOf(image)}`} onClick={() => void remove(image.path)}>
            <Icon name="close" className="size-3" />
          </button>
        </li>
      ))}
    </ul>
  );
}
