import { KEY_MAP, type KeyBinding } from "@retake/client/screen";
import { Dialog } from "radix-ui";
import { overlay } from "../commands/overlay.ts";
import { Icon } from "../parts/icon.tsx";

const GROUPS: readonly { readonly when: KeyBinding["when"]; readonly title: string }[] = [
  { when: "anywhere", title: "Anywhere" },
  { when: "moving", title: "Outside of a text field" },
  { when: "approval", title: "In a question" },
];

/** The keys of the page, from the key map. */
export default function KeysHelp() {
  return (
    <Dialog.Root open onOpenChange={() => overlay.set(undefined)}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content className="dialog wide" aria-describedby={undefined}>
          <header className="flex items-center">
            <Dialog.Title className="flex-1 text-base font-semibold">Keys</Dialog.Title>
            <Dialog.Close className="icon-button" aria-label="Close">
              <Icon name="close" />
            </Dialog.Close>
          </header>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls the list */}
          <div className="keys" tabIndex={0}>
            {GROUPS.map(({ when, title }) => (
              <section key={when}>
                <h3>{title}</h3>
                <dl>
                  {KEY_MAP.filter((each) => each.when === when).map(({ action, keys, about }) => (
                    <div key={action}>
                      <dt>
                        {keys.map((key) => (
                          <kbd key={key}>{shown(key)}</kbd>
                        ))}
                      </dt>
                      <dd>{about}</dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function shown(key: string): string {
  return key
    .replace("Arrow", "")
    .replace("Down", "↓")
    .replace("Up", "↑")
    .replace("Left", "←")
    .replace("Right", "→")
    .replace(/^ $/, "Space");
}
