export interface Offer {
  readonly insert: string;
  readonly about: string;
}

/** The list of words that the one before the cursor may become. */
export function Completion({
  offers,
  chosen,
  onChoose,
}: {
  readonly offers: readonly Offer[];
  readonly chosen: number;
  readonly onChoose: (offer: Offer) => void;
}) {
  return (
    <div role="listbox" id="completion" aria-label="Completions" className="completion" tabIndex={-1}>
      {offers.map((offer, index) => (
        <div
          key={offer.insert}
          id={`offer-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          // The field keeps the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(offer);
          }}
        >
          <span className="font-mono">{offer.insert}</span>
          <span className="text-muted">{offer.about}</span>
        </div>
      ))}
    </div>
  );
}
