import { leavePlan, planStore, putPlanAside } from "../data/plan.ts";
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
  const isPlanShown = useStore(planStore, (plan) => plan !== undefined && plan.aside !== true);
  const isShown = (place: Tab | "talk") => !isPlanShown && (place === "talk" ? !inspector : inspector && tab === place);
  const show = (place: Tab | "talk") => {
    if (place === "talk") {
      putPlanAside(true);
      changePanels({ inspector: false, sidebar: false });
    } else {
      leavePlan();
      showTab(place);
    }
  };
  return (
    <nav className="bottom-bar" aria-label="Places">
      {PLACES.map(({ tab: place, title, icon }) => (
        <button
          key={place}
          type="button"
          aria-current={isShown(place) ? "page" : undefined}
          onClick={() => show(place)}
        >
          <Icon name={icon} />
          {title}
        </button>
      ))}
    </nav>
  );
}
