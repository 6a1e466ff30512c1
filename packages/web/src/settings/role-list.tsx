import { useState } from "react";
import { client } from "../data/connection.ts";
import { messageOf } from "../data/session.ts";
import { Icon } from "../parts/icon.tsx";

/** The roles that entries can have (D4). Entries keep a role that is removed here. */
export function RoleList({ thread, roles }: { readonly thread: string; readonly roles: readonly string[] }) {
  const [name, setName] = useState("");
  const [refusal, setRefusal] = useState<string>();
  const change = async (body: { add: string } | { remove: string }) => {
    try {
      await client.changeRoles(thread, body);
      setRefusal(undefined);
      setName((now) => ("add" in body && now.trim() === body.add ? "" : now));
    } catch (error) {
      setRefusal(messageOf(error));
    }
  };
  return (
    <div className="px-4 py-2">
      <h3 className="text-sm font-medium">Roles</h3>
      <ul className="flex flex-wrap gap-1 py-1" aria-label="Roles">
        {roles.map((role) => (
          <li key={role} className="bg-raised flex items-center gap-1 rounded-md pl-2 text-xs">
            {role}
            <button
              type="button"
              className="icon-button"
              aria-label={`Remove the role ${role}`}
              onClick={() => void change({ remove: role })}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <form
        className="flex gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== "") void change({ add: name.trim() });
        }}
      >
        <input
          className="field min-w-0 flex-1"
          aria-label="New role"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <button type="submit" className="button">
          Add a role
        </button>
      </form>
      <p className="text-muted text-xs">Entries keep a role that is removed; any role can be added again.</p>
      {refusal && (
        <p role="alert" className="text-bad text-xs">
          {refusal}
        </p>
      )}
    </div>
  );
}
