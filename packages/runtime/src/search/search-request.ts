import { isObject, type Json, type JsonObject } from "@retake/core";
import type { CataloguedThread } from "../store/thread-catalogue.ts";
import { isIn, searchQuery } from "./search-query.ts";

/** Every given field must match; `words` may be in one entry, or in title and tags. */
export interface SearchRequest {
  readonly words?: string | undefined;
  readonly title?: string | undefined;
  readonly tag?: string | undefined;
  readonly role?: string | undefined;
  readonly branch?: string | undefined;
  /** A commit that was seen, or its beginning. */
  readonly commit?: string | undefined;
  /** A workspace, or a directory that contains workspaces. */
  readonly directory?: string | undefined;
  /** Milliseconds; a matching entry was made, or a matching thread changed, at that time or later. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** Whether a thread matches, apart from its entries. */
export function fits({ summary, tags, git }: CataloguedThread, request: SearchRequest): boolean {
  const { title, tag, branch, commit, directory, since, until } = request;
  const root = summary.workspace_root;
  const fold = (text: string) => text.toLowerCase();
  return (
    (title === undefined || isIn(searchQuery(title), summary.title)) &&
    (tag === undefined || tags.some((each) => fold(each) === fold(tag))) &&
    (branch === undefined || gitTimes(git).some((time) => time["branch"] === branch)) &&
    (commit === undefined || commitsOf(git).some((each) => each.startsWith(fold(commit)))) &&
    (directory === undefined || root === directory || `${root}/`.startsWith(directory.replace(/\/*$/, "/"))) &&
    (since === undefined || summary.updated_at >= since) &&
    (until === undefined || summary.created_at <= until)
  );
}

function gitTimes(git: JsonObject): JsonObject[] {
  return [git["start"], git["now"]].filter((time): time is JsonObject => isObject(time as Json));
}

function commitsOf(git: JsonObject): string[] {
  const seen = Array.isArray(git["commits"]) ? git["commits"].map(String) : [];
  return [...seen, ...gitTimes(git).map((time) => String(time["commit"] ?? ""))];
}
