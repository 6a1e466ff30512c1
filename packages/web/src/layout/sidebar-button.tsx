import { useStore } from "../data/store.ts";
import { changePanels, panels } from "../data/view-state.ts";
import { Icon } from "../parts/icon.tsx";

/** Shows and hides the list of threads. */
export function SidebarButton() {
  const { sidebar } = useStore(panels);
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={sidebar ? "Hide the threads" : "Show the threads"}
      aria-pressed={sidebar}
      onClick={() => changePanels({ sidebar: !sidebar })}
    >
      <Icon name="sidebar" />
    </button>
  );
}
