import { errorCode } from "@retake/workspace";

/** Whether a process of this number runs, also another user's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
