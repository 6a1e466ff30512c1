import { Suspense } from "react";
import { overlay } from "../commands/overlay.ts";
import type { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { lazily } from "../parts/lazily.tsx";
import { useReturnFocus } from "../parts/use-return-focus.ts";

const Palette = lazily(() => import("./palette.tsx"));
const KeysHelp = lazily(() => import("./keys-help.tsx"));

/** The overlays of the page, loaded when they are first asked for. */
export function Overlays({ session }: { readonly session?: Session }) {
  const open = useStore(overlay);
  useReturnFocus(open === "palette" || open === "keys");
  return (
    <Suspense fallback={null}>
      {open === "palette" && <Palette {...(session ? { session } : {})} />}
      {open === "keys" && <KeysHelp />}
    </Suspense>
  );
}
