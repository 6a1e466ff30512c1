import { client } from "../data/connection.ts";
import { startPlan } from "../data/plan.ts";
import { useAnswer } from "../data/use-answer.ts";
import { Failure } from "../parts/failure.tsx";
import { Icon } from "../parts/icon.tsx";
import { type DiffedFile, type Hunk, Hunks } from "../review/hunks.tsx";
import { reverseHunk } from "./reverse-hunk.ts";

export type Compared = Awaited<ReturnType<typeof client.compareTakes>>;

interface Props {
  readonly thread: string;
  readonly compared: Compared;
  readonly version: number | undefined;
}

/**
 * The files that differ. Where one of the takes is active, each file and hunk of the other can be taken over: the diff
 * then shows what that would do to the files on disk.
 */
export function CompareFiles({ thread, compared, version }: Props) {
  const { a, b, files } = compared;
  if (files.length === 0) return <p className="text-muted p-4 text-sm">Their files are the same.</p>;
  if (a.active || b.active)
    return <TakeOver {...{ thread, version }} other={a.active ? b : a} active={a.active ? a : b} />;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {files.map((file) => (
        <section key={file.path} aria-label={file.path} className="border-b border-line">
          <h3 className="min-w-0 px-4 py-2 font-mono text-xs font-semibold wrap-anywhere">{file.path}</h3>
          <Hunks file={file} actions={{}} />
        </section>
      ))}
    </div>
  );
}

interface TakeOverProps {
  readonly thread: string;
  readonly version: number | undefined;
  readonly other: Compared["a"];
  readonly active: Compared["a"];
}

function TakeOver({ thread, version, other, active }: TakeOverProps) {
  // From the other take to the active one, as the numbers of hunks are given; it is shown in reverse.
  const compare = () => client.compareTakes(thread, other.id, active.id);
  const { answer, failure } = useAnswer(compare, [thread, other.id, active.id, version]);
  const takeFile = (path: string) =>
    void startPlan({
      title: `Take over ${path} from ${other.name}`,
      call: (options) => client.takeOver(thread, other.id, { paths: [path], ...options } as never),
    });
  const takeHunk = (path: string, hunk: Hunk) =>
    void startPlan({
      title: `Take over 1 hunk of ${path} from ${other.name}`,
      call: async (options) => {
        // Numbers of hunks are those of the file as it is on disk: an edit since then gives them another meaning.
        if (!hasHunk((await compare()).files, path, hunk))
          throw new Error(`${path} has changed since it was compared. Nothing was changed. Look at it again.`);
        const hunks = [{ path, edits: hunk.edits }];
        return client.takeOver(thread, other.id, { hunks, ...options } as never);
      },
    });
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <Failure text={failure} />
      <p className="text-muted px-4 py-2 text-xs">
        {`What taking over from ${other.name} does to your files in ${active.name}.`}
      </p>
      {answer?.files.map((file) => (
        <section key={file.path} aria-label={file.path} className="border-b border-line">
          <div className="flex items-center gap-2 px-4 py-2">
            <h3 className="min-w-0 flex-1 font-mono text-xs font-semibold wrap-anywhere">{file.path}</h3>
            <button type="button" className="button" onClick={() => takeFile(file.path)}>
              <Icon name="branch" /> {`Take over from ${other.name}`}
            </button>
          </div>
          <Hunks
            file={{ ...file, hunks: file.hunks?.map(reverseHunk) }}
            actions={
              // A file that only one of them has comes or goes as a whole.
              file.status === "modified"
                ? { onTakeOver: (_, index) => takeHunk(file.path, file.hunks?.[index] as Hunk) }
                : {}
            }
          />
        </section>
      ))}
    </div>
  );
}

function hasHunk(files: readonly DiffedFile[], path: string, hunk: Hunk): boolean {
  const found = files.find((file) => file.path === path)?.hunks ?? [];
  return found.some((each) => JSON.stringify(each) === JSON.stringify(hunk));
}
