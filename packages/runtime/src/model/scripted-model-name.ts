/** The name of the embedded model. Separate from the model, so that code that needs only the name does not load it. */
export const SCRIPTED_MODEL = "scripted/default";
