import { useStore } from "../data/store.ts";
import { changePanels, panels, showTab, type Tab, tabStore } from "../data/view-state.ts";
import { Icon, type IconName } from "../parts/icon.tsx";

const PLACES: readonly { readonly tab: Tab | "talk"; readonly title: string; readonly icon: IconName }[] = [
  { tab: "talk", title: "Talk", icon: "thread" },
  { tab: "changes", title: "Changes", icon: "file" },
  { tab: "takes", title: "Takes", icon: "branch" },
  { tab: "history", title: "History", icon: "clock" },
];

/** On a narrow screen: one place at a time. */
export function BottomBar() {
  const { inspector } = useStore(panels);
  const tab = useStore(tabStore);
  return (
    <nav className="bottom-bar" aria-label="Places">
      {PLACES.map(({ tab: place, title, icon }) => (
        <button
          key={place}
          type="button"
          aria-current={(place === "talk" ? !inspector : inspector && tab === place) ? "page" : undefined}
          onClick={() => (place === "talk" ? changePanels({ inspector: false, sidebar: false }) : showTab(place))}
        >
          <Icon name={icon} />
          {title}
        </button>
      ))}
    </nav>
  );
}
