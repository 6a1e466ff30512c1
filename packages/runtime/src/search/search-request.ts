import { isObject, type Json, type JsonObject } from "@retake/core";
import type { CataloguedThread } from "../store/thread-catalogue.ts";
import { isIn, searchQuery } from "./search-query.ts";

/** Every field that is given has to fit; `words` may be in one entry, or in title and tags. */
export interface SearchRequest {
  readonly words?: string;
  readonly title?: string;
  readonly tag?: string;
  readonly role?: string;
  readonly branch?: string;
  /** A commit that was seen, or how it begins. */
  readonly commit?: string;
  /** A workspace, or a directory that workspaces are in. */
  readonly directory?: string;
  /** Milliseconds; an entry found was made within, a thread was worked on within. */
  readonly since?: number;
  readonly until?: number;
}

/** Whether a thread is one that is asked for, whatever its entries say. */
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
