/** Something that an action needs is not there or cannot be used; nothing was changed. */
export class ActionError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ActionError";
    this.code = code;
  }
}
