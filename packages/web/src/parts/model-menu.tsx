import { readModels } from "../data/models.ts";
import { useAnswer } from "../data/use-answer.ts";
import { Menu } from "./menu.tsx";

/** A button that lists the models that can be used. */
export function ModelMenu({ label, onChoose }: { readonly label: string; readonly onChoose: (model: string) => void }) {
  const { answer } = useAnswer(readModels, []);
  const names = answer?.providers.flatMap(({ models }) => models.map(({ name }) => name)) ?? [];
  if (names.length === 0) return null;
  return (
    <Menu
      label={label}
      className="small-button"
      items={names.map((name) => ({ label: name, run: () => onChoose(name) }))}
    >
      {label}
    </Menu>
  );
}
