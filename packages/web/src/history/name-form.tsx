import { useState } from "react";
import { messageOf } from "../data/session.ts";
import { Failure } from "../parts/failure.tsx";

/** A field for a name, which may be empty, with a button. When `onName` fails, the name stays and the reason stands below. */
export function NameForm({
  label,
  placeholder,
  button,
  onName,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly button: string;
  readonly onName: (name: string) => Promise<void>;
}) {
  const [name, setName] = useState("");
  const [failure, setFailure] = useState<string>();
  const submit = async () => {
    try {
      await onName(name);
      setName("");
      setFailure(undefined);
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  return (
    <>
      <form
        className="flex gap-2 px-4 pb-2"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <input
          className="field min-w-0 flex-1"
          aria-label={label}
          placeholder={placeholder}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <button type="submit" className="button">
          {button}
        </button>
      </form>
      <Failure text={failure} />
    </>
  );
}
