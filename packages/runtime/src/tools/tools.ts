import { bashEnd, bashOutput } from "./background-tools.ts";
import { bash } from "./bash.ts";
import { edit } from "./edit.ts";
import { fetchPage } from "./fetch.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { read } from "./read.ts";
import { todo } from "./todo.ts";
import type { Tool } from "./tool.ts";
import { write } from "./write.ts";

/** The tools of every agent, in the order in which a model gets them. */
export const TOOLS: readonly Tool[] = [read, write, edit, bash, bashOutput, bashEnd, glob, grep, fetchPage, todo];
