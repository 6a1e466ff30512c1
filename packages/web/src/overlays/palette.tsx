import type { Action } from "@retake/client/screen";
import { Command } from "cmdk";
import { Dialog } from "radix-ui";
import { useState } from "react";
import { navigate } from "wouter/use-browser-location";
import { overlay } from "../commands/overlay.ts";
import { PAGE_COMMANDS, SLASH_COMMANDS } from "../commands/slash.ts";
import { sayError } from "../data/notices.ts";
import { messageOf, type Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { threads } from "../data/threads.ts";
import { changeTheme, type Theme } from "../data/view-state.ts";
import { Key } from "../parts/menu.tsx";

const THEMES: readonly { readonly id: Theme; readonly title: string }[] = [
  { id: "system", title: "Theme of the system" },
  { id: "light", title: "Light theme" },
  { id: "dark", title: "Dark theme" },
  { id: "contrast", title: "High contrast" },
];

/** The actions that do the same by a key. */
const ACTIONS: Readonly<Record<string, Action>> = {
  undo: "undo-turn",
  redo: "redo",
  branch: "branch",
  history: "show-history",
  changes: "show-changes",
  settings: "show-settings",
  find: "find",
  new: "new-thread",
  keys: "show-keys",
};

/** Every command by its name, and every thread by its title. Without a session: the commands that need no thread. */
export default function Palette({ session }: { readonly session?: Session }) {
  const list = useStore(threads, (state) => state.list);
  const [words, setWords] = useState("");
  const commands = session
    ? SLASH_COMMANDS.map((each) => ({ ...each, run: () => each.run(session, "") }))
    : PAGE_COMMANDS;
  const choose = (run: () => unknown) => {
    overlay.set(undefined);
    // After the focus is back where it was, so that a command acts on what the user stood at.
    requestAnimationFrame(() => void Promise.resolve(run()).catch((error) => sayError(messageOf(error))));
  };
  return (
    <Dialog.Root open onOpenChange={() => overlay.set(undefined)}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content className="dialog palette" aria-describedby={undefined}>
          <Dialog.Title className="sr-only">All commands</Dialog.Title>
          <Command label="All commands" loop>
            <Command.Input
              value={words}
              onValueChange={setWords}
              placeholder="A command, a thread, or words"
              aria-label="Command"
            />
            <Command.List>
              <Command.Empty>Nothing fits.</Command.Empty>
              <Command.Group heading="Commands">
                {commands.map(({ name, about, run }) => (
                  <Command.Item key={name} value={`${name} ${about}`} onSelect={() => choose(run)}>
                    <span className="command-name">{name}</span>
                    <span className="text-muted flex-1">{about}</span>
                    <Key action={ACTIONS[name]} />
                  </Command.Item>
                ))}
                {THEMES.map(({ id, title }) => (
                  <Command.Item key={id} value={title} onSelect={() => choose(() => changeTheme(id))}>
                    {title}
                  </Command.Item>
                ))}
              </Command.Group>
              <Command.Group heading="Threads">
                {list?.slice(0, 50).map(({ id, title }) => (
                  <Command.Item key={id} value={`${title} ${id}`} onSelect={() => choose(() => navigate(`/t/${id}`))}>
                    {title}
                  </Command.Item>
                ))}
              </Command.Group>
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
