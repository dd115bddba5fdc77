// The shapes of what the Python side sends, and of what the parts of the page hand each other.

export type * from "./types/comparison.js";
export type * from "./types/events.js";
export type * from "./types/page.js";
export type * from "./types/run.js";
export type * from "./types/searches.js";
export type * from "./types/step.js";
export type * from "./types/views.js";
