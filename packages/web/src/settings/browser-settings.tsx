import { useStore } from "../data/store.ts";
import { changeHabits, type Habits, habits } from "../data/view-state.ts";

const PREVIEWS: readonly (readonly [Habits["preview"], string])[] = [
  ["always", "Always"],
  ["when-needed", "Where it does not take back everything"],
  ["never", "Only conflicts"],
];

/** Habits of this browser. They belong to no thread, and undo does not change them (S5). */
export function BrowserSettings() {
  const { preview, send } = useStore(habits);
  return (
    <div className="border-t border-line px-4 py-3">
      <h3 className="text-sm font-medium">This browser</h3>
      <label className="mt-1 block text-sm">
        Show an undo before it is done
        <select
          className="field w-full"
          value={preview}
          onChange={(event) => changeHabits({ preview: event.target.value as Habits["preview"] })}
        >
          {PREVIEWS.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label className="mt-2 flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={send === "Ctrl+Enter"}
          onChange={(event) => changeHabits({ send: event.target.checked ? "Ctrl+Enter" : "Enter" })}
        />
        Ctrl+Enter sends a prompt, and Enter begins a new line
      </label>
    </div>
  );
}
