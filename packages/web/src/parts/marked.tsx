import { Fragment } from "react";

/** A text in which the words that were searched for stand out. */
export function Marked({
  text,
  places,
}: {
  readonly text: string;
  readonly places: readonly { readonly start: number; readonly end: number }[];
}) {
  const last = places.at(-1)?.end ?? 0;
  return (
    <>
      {places.map(({ start, end }, index) => (
        <Fragment key={start}>
          {text.slice(places[index - 1]?.end ?? 0, start)}
          <mark>{text.slice(start, end)}</mark>
        </Fragment>
      ))}
      {text.slice(last)}
    </>
  );
}
