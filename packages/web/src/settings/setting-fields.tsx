import type { SettingField, Settings } from "@retake/core";
import { useEffect, useRef, useState } from "react";
import { channel } from "../data/connection.ts";
import { saveSetting } from "./save-setting.ts";

interface FieldProps<Value> {
  readonly thread: string;
  readonly field: SettingField;
  readonly label: string;
  readonly about?: string;
  readonly value: Value;
  /** The takes that have another value, in words. */
  readonly differs?: string;
}

/** How long after the last key a text is saved. All of it is one step to undo. */
const TYPING_MS = 300;

/** Texts that are not saved yet, by their setting: neither a failed save nor a panel that is closed loses them. */
const unsavedTexts = new Map<string, string>();

/** A text that saves itself. Words that are not saved yet are shown, whatever other clients write. */
export function TextSetting({ rows = 3, take, ...props }: FieldProps<string> & { rows?: number; take: string }) {
  const { thread, field, value } = props;
  const place = `${thread} ${take} ${field}`;
  const [typed, setTyped] = useState(() => unsavedTexts.get(place));
  const [refusal, setRefusal] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const save = async () => {
    clearTimeout(timer.current);
    const text = unsavedTexts.get(place);
    if (text === undefined) return;
    const why = await saveSetting(thread, { [field]: text } as Partial<Settings>, { typing: true, take });
    setRefusal(why);
    if (why !== undefined || unsavedTexts.get(place) !== text) return;
    unsavedTexts.delete(place);
    // The event can be faster than the answer.
    if (record.current === text) setTyped(undefined);
  };
  const latest = useRef(save);
  latest.current = save;
  const record = useRef(value);
  record.current = value;
  const leave = () => {
    // The record has the text already; after a save it is shown as soon as its event is here.
    if (!unsavedTexts.has(place)) setTyped(undefined);
    return save();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value of the record
  useEffect(() => {
    // Once the record has the text, the field shows the record again: words that were typed over an older text would take
    // back what another screen has written since.
    if (unsavedTexts.has(place)) return;
    if (typed === value || document.activeElement?.id !== `setting-${field}`) setTyped(undefined);
  }, [value]);
  // A save that failed is tried again when the field is shown and when the server is back. The last words are saved when the
  // panel is closed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each field
  useEffect(() => {
    void save();
    const stop = channel.onConnection(() => {
      if (channel.connection === "live") void latest.current();
    });
    return () => {
      stop();
      void latest.current();
    };
  }, []);
  return (
    <Labelled {...props} refusal={refusal}>
      <textarea
        id={`setting-${field}`}
        className="field w-full py-1 font-mono text-xs"
        rows={rows}
        value={typed ?? value}
        aria-describedby={`about-${field}`}
        onChange={(event) => {
          setTyped(event.target.value);
          unsavedTexts.set(place, event.target.value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => void save(), TYPING_MS);
        }}
        onBlur={() => void leave()}
      />
    </Labelled>
  );
}

/** A number that is saved when the field is left or Enter is pressed. */
export function NumberSetting({ step, ...props }: FieldProps<number> & { step: number }) {
  const { thread, field, value } = props;
  const [typed, setTyped] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  const save = async () => {
    const isChanged = typed !== undefined && typed.trim() !== "" && Number(typed) !== value;
    const why = isChanged ? await saveSetting(thread, { [field]: Number(typed) } as Partial<Settings>) : undefined;
    setRefusal(why);
    // A number that was refused stays, and one that was typed meanwhile is the next one.
    if (why === undefined) setTyped((now) => (now === typed ? undefined : now));
  };
  return (
    <Labelled {...props} refusal={refusal}>
      <input
        id={`setting-${field}`}
        className="field w-32"
        type="number"
        step={step}
        value={typed ?? value}
        aria-describedby={`about-${field}`}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => void save()}
        onKeyDown={(event) => {
          if (event.key === "Enter") void save();
        }}
      />
    </Labelled>
  );
}

export function SwitchSetting({ thread, field, label, about, value, differs }: FieldProps<boolean>) {
  const [refusal, setRefusal] = useState<string>();
  const save = async (on: boolean) => setRefusal(await saveSetting(thread, { [field]: on } as Partial<Settings>));
  return (
    <div className="px-4 py-2">
      <label className="flex items-center gap-2 text-sm">
        <input type="checkbox" checked={value} onChange={(event) => void save(event.target.checked)} />
        {label}
        <Differs text={differs} />
      </label>
      {about && <p className="text-muted text-xs">{about}</p>}
      {refusal && (
        <p role="alert" className="text-bad text-xs">
          {refusal}
        </p>
      )}
    </div>
  );
}

export function Labelled(props: {
  readonly field: string;
  readonly label: string;
  readonly about?: string | undefined;
  readonly refusal?: string | undefined;
  readonly differs?: string | undefined;
  readonly children: React.ReactNode;
}) {
  const { field, label, about, refusal, differs, children } = props;
  return (
    <div className="px-4 py-2">
      <label htmlFor={`setting-${field}`} className="block pb-1 text-sm font-medium">
        {label}
      </label>
      {children}
      <p id={`about-${field}`} className="text-muted text-xs">
        {about}
      </p>
      <Differs text={differs} />
      {refusal && (
        <p role="alert" className="text-bad text-xs">
          {refusal}
        </p>
      )}
    </div>
  );
}

/** A mark beside a setting that other takes have another value of. */
function Differs({ text = "" }: { readonly text?: string | undefined }) {
  return text === "" ? null : <span className="badge">{text}</span>;
}
