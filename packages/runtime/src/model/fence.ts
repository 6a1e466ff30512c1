export { fenced } from "@retake/core";
