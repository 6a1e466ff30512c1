import type { Action } from "@retake/client/screen";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { useKeyOf } from "../data/key-choices.ts";
import { Icon, type IconName } from "./icon.tsx";

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  /** The action that does the same by a key. */
  readonly action?: Action;
  readonly disabled?: boolean;
  readonly run: () => void;
}

/** A button that opens a list of things to do. */
export function Menu({
  label,
  items,
  children,
  className = "icon-button",
}: {
  readonly label: string;
  readonly items: readonly (MenuItem | "line")[];
  readonly children?: ReactNode;
  readonly className?: string;
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <button type="button" className={className} aria-label={label} title={label}>
          {children ?? <Icon name="more" />}
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
          {items.map((item, index) =>
            item === "line" ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name
              <DropdownMenu.Separator key={index} className="menu-line" />
            ) : (
              <DropdownMenu.Item
                key={item.label}
                className="menu-item"
                disabled={item.disabled ?? false}
                onSelect={item.run}
              >
                {item.icon ? <Icon name={item.icon} /> : <span className="size-4" />}
                <span className="flex-1">{item.label}</span>
                <Key action={item.action} />
              </DropdownMenu.Item>
            ),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** The key of an action, where it has one. */
export function Key({ action }: { readonly action: Action | undefined }) {
  const key = useKeyOf(action);
  return key === undefined ? null : <kbd>{key}</kbd>;
}
