/** What the embedded model is called. Apart from the model, because whoever asks for the name does not need it. */
export const SCRIPTED_MODEL = "scripted/default";
