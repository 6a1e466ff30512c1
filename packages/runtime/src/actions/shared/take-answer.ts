import { type State, takeById } from "@retake/core";
import { takeJson } from "../../answers/take-json.ts";

export function takeAnswer(id: string): (state: State) => { take?: ReturnType<typeof takeJson> } {
  return (state) => {
    const take = takeById(state, id);
    return take ? { take: takeJson(state, take) } : {};
  };
}
