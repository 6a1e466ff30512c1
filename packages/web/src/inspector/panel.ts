/**
 * The contract of an inspector panel.
 *
 * A panel is the default export of its file in `inspector/`, loaded when its tab is opened for the first time. It gets:
 *
 *   session      the thread on the screen. `useStore(session.store)` gives its state, and renders again after every change;
 *                `useStore(session.store, (state) => state.view)` only after a change of that part.
 *   client       import `client` from `data/connection.ts`. Call it with `session.thread`; refusals are thrown as `ApiError`.
 *   focus        `useStore(focusStore)` is the row that the user stands at (`data/view-state.ts`); `focusStore.set` moves it.
 *   a preview    `startPlan({ title, call: (options) => client.revert(thread, { turn, ...options }) })` (`data/plan.ts`)
 *                asks for a dry run, shows it where something is kept, in conflict or irreversible, and carries it out.
 *   words        `say(text, action?)` and `sayError(text)` (`data/notices.ts`) show a notice and tell screen readers.
 *                A refusal also belongs where it was asked: keep it in the panel's state, `messageOf(error)` is its text.
 *   another tab  `showTab("history")`.
 *
 * A panel keeps its heading (`PanelHeading`), its own scroll container, and nothing that belongs to the thread.
 */
import type { Session } from "../data/session.ts";

export interface PanelProps {
  readonly session: Session;
}
