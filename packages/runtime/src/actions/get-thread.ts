import { type Action, answer } from "./action.ts";
import { theThread } from "./shared/the-thread.ts";

export const action: Action<"getThread"> = ({ runtime, params }) => answer(theThread(runtime, params.id));
