import {
  actionFor,
  budgetWords,
  callDiff,
  callSummary,
  keyName,
  QUIET_MS,
  visible,
  visibleJson,
} from "@retake/client/screen";
import { BUDGET, noticeText, ruleText } from "@retake/core";
import { useEffect, useRef, useState } from "react";
import { client } from "../data/connection.ts";
import { keyStore } from "../data/key-choices.ts";
import { status } from "../data/notices.ts";
import { messageOf, questionsIn, type Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { Icon } from "../parts/icon.tsx";
import { Key } from "../parts/menu.tsx";
import { ChangeLines } from "../transcript/change-view.tsx";

type Decision = "allow" | "allow-always" | "deny";

const PRESSES = ["keydown", "pointerdown"] as const;

/**
 * The oldest question that waits. It never takes the focus from someone who types. `onLeft`: a reason was being written when
 * another screen answered the question.
 */
export function Approvals({
  session,
  onLeft,
}: {
  readonly session: Session;
  readonly onLeft: (reason: string) => void;
}) {
  const state = useStore(session.store);
  const [failure, setFailure] = useState<string>();
  /** The reason of a denial; undefined until one is wanted. */
  const [reason, setReason] = useState<string>();
  const questions = questionsIn(state);
  const [question] = questions;
  const [answerable, setAnswerable] = useAnswerable(questions[0]?.call_id);
  const denyButton = useRef<HTMLButtonElement>(null);
  const call = question?.call_id;
  const isBudget = question?.name === BUDGET;
  const summary = question && (isBudget ? budgetWords(question.input) : callSummary(question));
  /** The question that is on the screen, and the one that was answered here. */
  const shown = useRef<string>(undefined);
  const answered = useRef<string>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another question is shown, or none
  useEffect(() => {
    const isElsewhere = shown.current !== undefined && shown.current !== answered.current;
    if (shown.current !== call && isElsewhere && reason?.trim()) onLeft(reason);
    shown.current = call;
    setFailure(undefined);
    setReason(undefined);
    if (call === undefined) return;
    status.set(isBudget ? `${summary}` : `Wants to run ${summary}`);
    document.title = `(!) ${document.title.replace(/^\(!\) /, "")}`;
    return () => {
      document.title = document.title.replace(/^\(!\) /, "");
    };
  }, [call, summary, isBudget]);
  if (!question) return null;
  const isAnswerable = answerable === question.call_id;
  const decide = async (decision: Decision, why = "") => {
    if (!isAnswerable) return;
    setAnswerable(undefined);
    answered.current = question.call_id;
    const given = why.trim() === "" ? {} : { reason: `the user says: ${why.trim()}` };
    try {
      await client.decideApproval(session.thread, question.turn_id, question.call_id, { decision, ...given });
    } catch (error) {
      answered.current = undefined;
      setFailure(messageOf(error));
      setAnswerable((now) => now ?? question.call_id);
    }
  };
  const { command: named, background, ...rest } = question.input;
  const command = typeof named === "string" ? named : undefined;
  const diff = question.preview?.replace(/\n$/, "").split("\n") ?? callDiff(question.name, question.input);
  // Nothing that is asked about stays hidden: what neither the command nor the diff shows is shown as it is.
  const others = command !== undefined ? rest : isBudget || diff.length > 0 ? {} : question.input;
  return (
    <section
      className="approval"
      aria-label="Approval"
      data-approval
      onKeyDown={(event) => {
        if (event.target instanceof HTMLInputElement) return;
        const decision = actionFor(keyName(event), "approval", keyStore.value.map);
        if (event.repeat || (decision !== "allow" && decision !== "allow-always" && decision !== "deny")) return;
        if (decision === "allow-always" && !question.always) return;
        event.preventDefault();
        event.stopPropagation();
        void decide(decision);
      }}
    >
      <header>
        <Icon name="warning" />
        <h2>
          {isBudget ? "The budget is used up" : `May the agent ${command === undefined ? "do" : "run"} this?`}
          {questions.length > 1 && <span className="text-muted">{` 1 of ${questions.length}`}</span>}
        </h2>
      </header>
      {isBudget && <p>{summary}</p>}
      {!isBudget && command === undefined && <p className="font-mono text-xs break-all">{visible(`${summary}`)}</p>}
      {command !== undefined && <pre className="approval-command">{visible(command)}</pre>}
      {background === true && <p className="text-muted text-xs">runs on in the background until the turn ends</p>}
      {question.directory && <p className="text-muted text-xs">{`in ${visible(question.directory)}`}</p>}
      {diff.length > 0 && <ChangeLines lines={diff} />}
      {Object.keys(others).length > 0 && (
        <pre className="approval-command">{visibleJson(JSON.stringify(others, undefined, 2))}</pre>
      )}
      {question.notices.length > 0 && (
        <div className="approval-notices">
          <p className="font-semibold">No undo takes this back:</p>
          <ul>
            {question.notices.map((notice) => (
              <li key={noticeText(notice)}>{visible(noticeText(notice))}</li>
            ))}
          </ul>
        </div>
      )}
      {failure && (
        <p role="alert" className="error-box">
          {failure}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="button primary"
          aria-disabled={!isAnswerable}
          onClick={() => void decide("allow")}
        >
          {isBudget ? "Go on" : "Allow"} <Key action="allow" />
        </button>
        {question.always && (
          <button
            type="button"
            className="button"
            aria-disabled={!isAnswerable}
            onClick={() => void decide("allow-always")}
          >
            {`Always allow ${visible(ruleText(question.always))} here`} <Key action="allow-always" />
          </button>
        )}
        {reason === undefined && (
          <button
            ref={denyButton}
            type="button"
            className="button"
            aria-disabled={!isAnswerable}
            onClick={() => void decide("deny")}
          >
            {isBudget ? "Stop here" : "Deny"} <Key action="deny" />
          </button>
        )}
        {!isBudget && reason === undefined && (
          <button
            type="button"
            className="button"
            aria-disabled={!isAnswerable}
            onClick={() => isAnswerable && setReason("")}
          >
            Deny with a reason
          </button>
        )}
      </div>
      {reason !== undefined && (
        <ReasonForm
          reason={reason}
          isAnswerable={isAnswerable}
          onChange={setReason}
          onDeny={() => void decide("deny", reason)}
          onClose={() => {
            setReason(undefined);
            requestAnimationFrame(() => denyButton.current?.focus());
          }}
        />
      )}
    </section>
  );
}

/**
 * The call whose question may be answered: it was on the screen for a moment in which nothing was pressed, and no answer is
 * under way. A second click or key was meant for the question before. The buttons are not `disabled`, which would take the
 * focus from them.
 */
function useAnswerable(call: string | undefined) {
  const [answerable, setAnswerable] = useState<string>();
  useEffect(() => {
    if (call === undefined) return;
    let timer: ReturnType<typeof setTimeout>;
    const stop = () => {
      clearTimeout(timer);
      for (const press of PRESSES) removeEventListener(press, wait, true);
    };
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        stop();
        setAnswerable(call);
      }, QUIET_MS);
    };
    for (const press of PRESSES) addEventListener(press, wait, true);
    wait();
    return () => {
      stop();
      setAnswerable(undefined);
    };
  }, [call]);
  return [answerable, setAnswerable] as const;
}

/** The agent reads the reason as the result of its call, and goes on with the turn. */
function ReasonForm(props: {
  readonly reason: string;
  readonly isAnswerable: boolean;
  readonly onChange: (reason: string) => void;
  readonly onDeny: () => void;
  readonly onClose: () => void;
}) {
  return (
    <form
      className="flex gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        props.onDeny();
      }}
    >
      <input
        className="field"
        aria-label="Reason, for the agent"
        placeholder="What to do instead. The agent reads it and goes on"
        maxLength={900}
        // biome-ignore lint/a11y/noAutofocus: the field was asked for
        autoFocus
        value={props.reason}
        onChange={(event) => props.onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          event.stopPropagation();
          props.onClose();
        }}
      />
      <button type="submit" className="button primary" aria-disabled={!props.isAnswerable}>
        Deny
      </button>
    </form>
  );
}
