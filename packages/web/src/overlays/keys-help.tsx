import { type Action, type KeyBinding, keyName } from "@retake/client/screen";
import { Dialog } from "radix-ui";
import { useState } from "react";
import { overlay } from "../commands/overlay.ts";
import { forgetChoices, keyStore, rebind, shownKey, switchLetters } from "../data/key-choices.ts";
import { useStore } from "../data/store.ts";
import { Icon } from "../parts/icon.tsx";

const GROUPS: readonly { readonly when: KeyBinding["when"]; readonly title: string }[] = [
  { when: "anywhere", title: "Anywhere" },
  { when: "moving", title: "Outside of a text field" },
  { when: "approval", title: "In a question" },
];

/** Keys that are pressed together with another one. */
const MODIFIERS: ReadonlySet<string> = new Set(["Control", "Shift", "Alt", "Meta", "AltGraph"]);

/** The keys of the page. Each can be given another one; single letters can be switched off as a whole. */
export default function KeysHelp() {
  const { choices, map } = useStore(keyStore);
  const [asking, setAsking] = useState<Action>();
  const [refusal, setRefusal] = useState<string>();
  const ask = (action: Action | undefined) => {
    setRefusal(undefined);
    setAsking(action);
  };
  const onKey = (event: React.KeyboardEvent, action: Action) => {
    if (asking !== action || MODIFIERS.has(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") return ask(undefined);
    const why = rebind(action, keyName(event));
    setRefusal(why);
    if (why === undefined) setAsking(undefined);
  };
  return (
    <Dialog.Root open onOpenChange={() => overlay.set(undefined)}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content
          className="dialog wide"
          aria-describedby={undefined}
          onEscapeKeyDown={(event) => {
            if (asking !== undefined) event.preventDefault();
          }}
        >
          <header className="flex flex-wrap items-center gap-x-3">
            <Dialog.Title className="flex-1 text-base font-semibold">Keys</Dialog.Title>
            <label className="flex items-center gap-2 text-sm max-sm:order-last max-sm:basis-full">
              <input
                type="checkbox"
                checked={choices.letters}
                onChange={(event) => switchLetters(event.target.checked)}
              />
              Single letters are commands
            </label>
            <button type="button" className="button" onClick={forgetChoices}>
              Reset all
            </button>
            <Dialog.Close className="icon-button" aria-label="Close">
              <Icon name="close" />
            </Dialog.Close>
          </header>
          <p className="text-muted text-xs">
            Choose a key to give its command another one. They are kept in this browser.
          </p>
          {refusal && (
            <p role="alert" className="error-box">
              {refusal}
            </p>
          )}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls the list */}
          <div className="keys" tabIndex={0}>
            {GROUPS.map(({ when, title }) => (
              <section key={when}>
                <h3>{title}</h3>
                <ul>
                  {map
                    .filter((each) => each.when === when)
                    .map(({ action, keys, about }) => (
                      <li key={action}>
                        <button
                          type="button"
                          className="key-button"
                          aria-label={`${about}: ${keys.map(shownKey).join(" or ") || "no key"}. Change it`}
                          // One key for each take: they stay together.
                          disabled={action === "nth-take"}
                          onClick={() => ask(asking === action ? undefined : (action as Action))}
                          onKeyDown={(event) => onKey(event, action as Action)}
                          onBlur={() => asking === action && ask(undefined)}
                        >
                          {asking === action ? (
                            <em>Press a key</em>
                          ) : (
                            shortList(keys).map((key) => <kbd key={key}>{shownKey(key)}</kbd>)
                          )}
                        </button>
                        <span>{about}</span>
                      </li>
                    ))}
                </ul>
              </section>
            ))}
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Of many keys the first and the last. */
function shortList(keys: readonly string[]): readonly string[] {
  if (keys.length === 0) return ["none"];
  return keys.length > 3 ? [keys[0] ?? "", "…", keys.at(-1) ?? ""] : keys;
}
