import { Icon } from "../parts/icon.tsx";

/** Chooses images to be sent. Pasting and dropping do the same. */
export function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  return (
    <label className="icon-button attach" title="Attach images. You can also paste or drop them">
      <Icon name="image" />
      <input
        type="file"
        className="sr-only"
        aria-label="Attach images"
        accept="image/png,image/jpeg,image/gif,image/webp"
        multiple
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
    </label>
  );
}
