import { useState } from "react";
import { client } from "../data/connection.ts";
import { useAnswer } from "../data/use-answer.ts";
import { saveSetting } from "./save-setting.ts";
import { Labelled } from "./setting-fields.tsx";

/** Chooses a model of those that can be used, or any by its name. */
export function ModelSetting({
  thread,
  value,
  differs,
}: {
  readonly thread: string;
  readonly value: string;
  readonly differs: string;
}) {
  const [typed, setTyped] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  const { answer } = useAnswer(() => client.listModels(), []);
  const models = answer?.providers.flatMap(({ label, models: list }) => list.map((each) => ({ ...each, label }))) ?? [];
  const save = async () => {
    const isChanged = typed !== undefined && typed !== value;
    const why = isChanged ? await saveSetting(thread, { model: typed.trim() }) : undefined;
    setRefusal(why);
    // A name that was refused stays, and one that was typed meanwhile is the next one.
    if (why === undefined) setTyped((now) => (now === typed ? undefined : now));
  };
  const chosen = models.find(({ name }) => name === (value || answer?.model));
  const price =
    chosen?.price && `$${chosen.price.input ?? "?"} in, $${chosen.price.output ?? "?"} out a million tokens`;
  const unusable = answer?.providers.filter(({ status }) => status === "unreachable") ?? [];
  return (
    <>
      <Labelled
        field="model"
        label="Model"
        about={[value === "" && answer ? `Unset: ${answer.model} is used.` : "", price ?? ""].filter(Boolean).join(" ")}
        refusal={refusal}
        differs={differs}
      >
        <input
          id="setting-model"
          className="field w-full"
          list="models"
          placeholder={answer?.model ?? "provider/model"}
          value={typed ?? value}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={() => void save()}
          onKeyDown={(event) => {
            if (event.key === "Enter") void save();
          }}
        />
      </Labelled>
      <datalist id="models">
        {models.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </datalist>
      {unusable.map(({ provider, message }) => (
        <p key={provider} className="text-muted px-4 text-xs">
          {message}
        </p>
      ))}
    </>
  );
}
