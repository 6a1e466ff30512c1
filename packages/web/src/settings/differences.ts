import { liveTakes, type SettingField } from "@retake/core";
import { client } from "../data/connection.ts";
import type { Session } from "../data/session.ts";
import { useAnswer } from "../data/use-answer.ts";
import { useVersion } from "../data/use-version.ts";

/** Takes that are looked at; a thread with more has its list of takes to compare them. */
const MOST_TAKES = 12;
const SHORT = 24;

type Settings = Awaited<ReturnType<typeof client.getSettings>>;

/** Says for a setting which other takes have another value: `main has 0.2`. Empty where all have the same. */
export function useDifferences(session: Session): (field: SettingField) => string {
  const { thread, store } = session;
  const version = useVersion(session);
  const { answer } = useAnswer(async () => {
    const { view } = store.value;
    const others = view ? liveTakes(view.state).filter(({ id }) => id !== view.take) : [];
    if (others.length === 0) return undefined;
    const own = await client.getSettings(thread);
    const read = async ({ id, name }: (typeof others)[number]) => ({
      name,
      values: await client.getSettings(thread, { take: id }),
    });
    return { own, others: await Promise.all(others.slice(0, MOST_TAKES).map(read)) };
  }, [thread, version]);
  return (field) => {
    const [first, ...more] = answer?.others.filter(({ values }) => !isSame(values[field], answer.own[field])) ?? [];
    if (!first) return "";
    return `${first.name} has ${wordOf(first.values[field])}${more.length === 0 ? "" : `, ${more.length} more differ`}`;
  };
}

function isSame(a: Settings[SettingField], b: Settings[SettingField]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function wordOf(value: Settings[SettingField]): string {
  if (value === "") return "none";
  if (typeof value === "boolean") return value ? "it on" : "it off";
  const text = String(value);
  return typeof value !== "object" && text.length <= SHORT ? text : "another one";
}
