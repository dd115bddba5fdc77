// A step, its page, and its calls of models; traces/viewer/opened_run.py and perception/observation.py are the authority.

import type { Box, CallEvent, StepEvent } from "./events.js";
import type { Source } from "./page.js";
import type { Prices, Row } from "./run.js";

export interface Frame {
  url: string;
  step: number;
}

export interface StepDetail {
  step: number;
  began: number;
  before: Frame[];
  after: Frame[];
  events: StepEvent[];
}

/** Words to mark in a text, and what for. */
export interface Quote {
  words: string;
  kind: "found" | "cited";
}

/** What the cards of a step call when something on them is pressed. */
export interface StepActions {
  onStep(step: number, quote?: string | null): void;
  onQuote(quote: string, url?: string): void;
  onView(view: string): void;
  titles(step: number): string;
}

/** Where a step is shown: the run that it is of, and what stands around it. */
export interface StepContext {
  source: Source;
  runId: string;
  prices: Prices;
  /** Those that the arrows lead through. */
  rows: readonly Row[];
  /** Every step of the run. */
  steps: readonly Row[];
  titles(step: number): string;
  onStep(step: number, quote?: string | null): void;
  onView(view: string): void;
  share(): void;
}

/** What is to be seen first of a step. */
export interface StepOpening {
  call: number | null;
  quote: string | null;
  view: string | null;
}

export interface Picture {
  digest: string;
  /** Of the view that it shows; "" where that is not known. */
  view: string;
  label: string;
  event: CallEvent;
}

/** An element of a recorded view: id, kind, role, name, text, left and upper edge, width, height, and more by their place. */
export type ViewElement = [number, string, string, string, string, number, number, number, number, ...unknown[]];

export interface View {
  url?: string;
  shown?: Box;
  map?: { elements?: ViewElement[] };
}

export interface Block {
  kind: string;
  text: string;
  region?: string;
  level?: number;
  hidden?: boolean;
  pictured?: boolean;
}

export interface PageLink {
  id?: number;
  url: string;
  label: string;
  context?: string;
  hidden?: boolean;
}

export interface RecordSet {
  kind: string;
  records: { name: string; text: string; fields?: { name: string; value: string }[] }[];
  columns?: string[];
  caption?: string;
  headings?: string[];
}

export interface Observation {
  title?: string;
  language?: string;
  blocks?: Block[];
  links?: PageLink[];
  record_sets?: RecordSet[];
  seen_text?: string[];
  signals?: { text_chars?: number };
  blind?: { kind: string; box: Box; near?: string; heading?: string }[];
}

export interface Span {
  seq: number;
  step: number;
  seam: string;
  name: string;
  from: number;
  to: number;
  took: number;
  failed: boolean;
}

export interface CallRow {
  seq: number;
  step: number;
  seconds: number;
  name?: string;
  model?: string;
  prompt_tokens: number;
  completion_tokens: number;
  cached_tokens: number;
  attempts: number;
  failed?: string;
}

/** A call of a model, and the call of the strategy that made it, where that is on record. */
export interface ModelCall {
  event: CallEvent;
  strategy: CallEvent | undefined;
}

export interface CallContext {
  source: Source;
  run: string;
  prices: Prices;
  open: boolean;
  onStep?: (step: number, call?: number | null) => void;
}
