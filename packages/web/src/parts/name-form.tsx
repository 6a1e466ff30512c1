import { Dialog } from "radix-ui";
import { useState } from "react";
import { useReturnFocus } from "./use-return-focus.ts";

/** Asks for a name. It stays open with the reason where the name is refused. */
export function NameForm({
  title,
  label = "Name",
  value,
  onName,
  onClose,
}: {
  readonly title: string;
  /** The name of the field. */
  readonly label?: string;
  readonly value: string;
  readonly onName: (name: string) => Promise<boolean>;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(value);
  useReturnFocus();
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content className="dialog" aria-describedby={undefined}>
          <Dialog.Title className="text-base font-semibold">{title}</Dialog.Title>
          <form
            className="mt-3 flex gap-2"
            onSubmit={async (event) => {
              event.preventDefault();
              if (await onName(name.trim())) onClose();
            }}
          >
            <input
              className="field"
              aria-label={label}
              value={name}
              onChange={(event) => setName(event.target.value)}
              onFocus={(event) => event.target.select()}
            />
            <button type="submit" className="button primary" disabled={name.trim() === ""}>
              Save
            </button>
          </form>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
