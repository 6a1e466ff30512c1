import { action as listShares } from "@retake/runtime/actions/list-shares";
import { action as shareThread } from "@retake/runtime/actions/share-thread";
import { action as unshareThread } from "@retake/runtime/actions/unshare-thread";
import { act } from "./act.ts";
import { type Call, notFound } from "./command.ts";
import { find } from "./find.ts";

/** `retake sync share`, `unshare` and `shares`. */
export const SHARING = {
  async share(call: Call, [name]: readonly string[]): Promise<void> {
    const { id } = find.thread(call.workspace, name);
    const readers = call.options["support"] === true ? ("support" as const) : ("link" as const);
    const answer = await act(call, shareThread, { params: { id }, body: { readers } });
    const { title, link } = answer.share;
    const { output } = call;
    output.say(answer, () =>
      link === undefined
        ? [
            `✓ Those who run the server can read ${title} as it is now, also the output of its commands.`,
            output.hint("End it: retake sync unshare"),
          ]
        : [
            `✓ Everybody with this link can read ${title} as it is now, also the output of its commands:`,
            link,
            output.hint("Show later what was added: retake sync share · end it: retake sync unshare"),
          ],
    );
  },

  async unshare(call: Call, [name]: readonly string[]): Promise<void> {
    const { id, title } = find.thread(call.workspace, name);
    const answer = await act(call, unshareThread, { params: { id } });
    if (answer.ended === 0) throw notFound(`${title} is not shared. Nothing was changed.`);
    call.output.say(answer, () => [`✓ ${title} is not shared any more: the server has deleted the copy.`]);
  },

  async shares(call: Call): Promise<void> {
    const { output } = call;
    const answer = await act(call, listShares, { params: {} });
    output.say(answer, () => {
      if (answer.shares.length === 0) return ["No thread is shared.", output.hint("retake sync share <thread>")];
      return answer.shares.flatMap(({ title, thread_id, readers, shared_at, link }) => [
        `${title} ${output.style("dim", thread_id)} ${readers === "link" ? "by a link" : "with support"}, as it was ${output.ago(shared_at)}`,
        ...(link === undefined ? [] : [`  ${link}`]),
      ]);
    });
  },
};
