import { turn as turnById } from "@retake/core";
import { useMemo, useState } from "react";
import { client } from "../data/connection.ts";
import { useStore } from "../data/store.ts";
import { useAnswer } from "../data/use-answer.ts";
import { useVersion } from "../data/use-version.ts";
import { focusStore } from "../data/view-state.ts";
import { Failure } from "../parts/failure.tsx";
import { PanelHeading } from "../parts/panel-heading.tsx";
import { type DiffSource, pointsOf, turnsOf } from "../review/diff-source.ts";
import { Review } from "../review/review.tsx";
import { SourceChooser } from "../review/source-chooser.tsx";
import { type PartsBack, useTakenBack } from "../review/use-taken-back.ts";
import type { PanelProps } from "./panel.ts";

/** The changes of a turn, a range, a take or a snapshot in the files, with take back on each turn, file and hunk. */
export default function ChangesPanel({ session }: PanelProps) {
  const { thread } = session;
  const version = useVersion(session);
  const focus = useStore(focusStore);
  const [chosen, setChosen] = useState<DiffSource>();
  const lists = useAnswer(async () => {
    const [{ turns: all }, { snapshots }] = await Promise.all([
      client.listTurns(thread, { last: 500 }),
      client.listSnapshots({ thread, limit: 100 }),
    ]);
    return { turns: all.filter(({ name }) => name !== undefined), snapshots };
  }, [thread, version]);
  const turns = lists.answer?.turns ?? [];
  const focused = turns.find(({ id }) => id === focus?.turn)?.name;
  const { view } = session.store.value;
  const changed = turns.findLast(
    ({ id }) => view && (turnById(view.state, view.take, id)?.receipt?.files_changed.length ?? 0) > 0,
  );
  const source = chosen ?? { kind: "turn", turn: focused ?? changed?.name ?? turns.at(-1)?.name ?? "" };
  const points = pointsOf(source, turns[0]?.name);
  const name = JSON.stringify(source);
  const { parts, note } = useTakenBack(session, version);
  const taken = useMemo(() => partsOf(parts, name), [parts, name]);
  return (
    <section className="panel" aria-labelledby="panel-changes" data-thread={thread}>
      <PanelHeading id="panel-changes" title="Changes" about="What changed in your files. Take back any part of it." />
      <Failure text={lists.failure} />
      {!lists.answer && !lists.failure && <p className="text-muted px-4 text-sm">Looking …</p>}
      {lists.answer && turns.length === 0 && (
        <p className="text-muted px-4 text-sm">No turn has run yet. What the agent changes is listed here.</p>
      )}
      {turns.length > 0 && (
        <SourceChooser source={source} turns={turns} snapshots={lists.answer?.snapshots ?? []} onChange={setChosen} />
      )}
      {points && (
        <Review
          key={name}
          {...{ session, source, points, version, taken }}
          onTaken={(list, operation) =>
            note(
              list.map((part) => `${name} ${part}`),
              operation,
            )
          }
          onSource={setChosen}
          span={turnsOf(source, turns)}
        />
      )}
    </section>
  );
}

/** The parts of one source, without its name. */
function partsOf(all: PartsBack, source: string): PartsBack {
  const own = [...all].filter(([part]) => part.startsWith(`${source} `));
  return new Map(own.map(([part, operation]) => [part.slice(source.length + 1), operation]));
}
