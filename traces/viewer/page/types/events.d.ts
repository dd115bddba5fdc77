// Events of a walk as they are recorded; traces/events.py is the authority. A large value may lie in a blob of its own, or be gone.

import type { FieldsExtracted, PageSummarised, PassagesFound, PictureAsked } from "./searches.js";

export interface BlobRef {
  $b: string;
  n?: number;
  m?: string;
  $missing?: string;
}

export interface Missing {
  $missing: string;
}

export type Kept<T> = T | BlobRef | Missing;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Finding {
  text: string;
  quote?: string;
  score?: number;
  step?: number;
}

export interface Citation {
  quote: string;
  url?: string;
}

export interface CountedItem {
  name: string;
  quote?: string;
  key?: string;
  page_url?: string;
  step?: number;
}

export interface Merge {
  name: string;
  into: string;
  reason: string;
  similarity: number;
}

export interface Message {
  role: string;
  content: string;
  images?: { data: BlobRef; width: number; height: number; tokens: number }[];
}

export interface SeenText {
  text: string;
  source: string;
  box?: Box | null;
  confidence?: number;
}

/** What an edge was asked; which fields are there depends on the edge. */
export interface EdgeRequest {
  $missing?: string;
  html?: string;
  url?: string;
  query?: string;
  words?: string;
  picture?: BlobRef;
  box?: Box | null;
  scale?: number;
  whole?: boolean;
  regions?: Kept<Box[]>;
  prompt?: string;
  schema_name?: string;
  model?: string;
  max_tokens?: number;
  messages?: Kept<Message[]>;
}

/** What an edge answered; which fields are there depends on the edge. */
export interface EdgeOutcome {
  $missing?: string;
  $b?: string;
  html?: BlobRef;
  picture?: BlobRef;
  view?: BlobRef;
  text?: string;
  reasoning?: string;
  refusal?: string;
  finish?: string;
  estimated?: boolean;
  kind?: string;
  message?: string;
  prompt_tokens?: number;
  completion_tokens?: number;
  cached_tokens?: number;
  attempts?: number;
  model?: string;
  seen?: Kept<SeenText[]>;
  answer?: string;
  answer_box?: Box | null;
}

export interface EdgeCall {
  seam: string;
  method: string;
  request: EdgeRequest | null;
  outcome: EdgeOutcome | null;
  error: string;
  seconds: number;
}

export type PartOfScore = "text_quality" | "relevance" | "clarity" | "special";

export type Understood = Record<PartOfScore, number> & { score: number; terms?: Record<string, number> };

export interface GateDecided {
  choice: "read" | "glance" | "look";
  score: number;
  threshold: number;
  reason: string;
  terms?: Record<string, number>;
}

export interface CounterMoved {
  mode: string;
  target: number;
  found: number;
  added: Kept<CountedItem[]>;
  merged: Kept<Merge[]>;
  done: boolean;
  complete: boolean;
}

export interface Judged {
  sufficient: boolean;
  answer: string;
  confidence: number;
  citations: Kept<Citation[]>;
  missing: Kept<string[]>;
  reason: string;
}

export interface TaskAnalysed {
  by: string;
  kind: string;
  unit: string;
  parts: Kept<{ text: string; needs?: number }[]>;
  operation: string;
  names: Kept<{ name: string; spellings?: string[] }[]>;
  requirement?: Partial<{ mode: string; target: number; noun: string }>;
  constraint: string;
  picture: string;
  proof: string;
  note?: string;
}

export interface PageOpened {
  url: string;
  redirects?: Kept<string[]>;
  notices?: Kept<(string | { kind: string; text: string })[]>;
  html_sha256?: string;
}

export interface PictureCropped {
  image_index: number;
  number: number;
  scale: number;
  failure: string;
}

/** What a call of a session did. */
export interface ActionDone {
  kind: string;
  target: string;
  before: string;
  after: string;
  changed: Kept<string[]>;
  refused: Kept<string[]>;
}

export interface CodeRan {
  code: string;
  inputs: Kept<string[]>;
  value: string;
  printed: string;
  is_cut: boolean;
  failure: string;
  message: string;
  line: number;
  column: number;
  seconds: number;
}

export interface EventOf<Kind extends string, Fields> {
  line: number;
  seq: number;
  t: number;
  k: Kind;
  step: number;
  damage?: string;
  d: Fields;
}

export type CallEvent = EventOf<"call", EdgeCall>;

export type StepEvent =
  | CallEvent
  | EventOf<"task", TaskAnalysed>
  | EventOf<"page.open", PageOpened>
  | EventOf<"page.fail", { url: string; kind: string; message: string }>
  | EventOf<"page.reject", { url: string; reason: string; detail: string }>
  | EventOf<"us", Understood>
  | EventOf<"gate", GateDecided>
  | EventOf<"look", { model: string; texts: number; regions?: number; notes?: Kept<string[]> }>
  | EventOf<"crop", PictureCropped>
  | EventOf<"picture", PictureAsked>
  | EventOf<"pictured", { name: string; by: string; url: string }>
  | EventOf<"passages", PassagesFound>
  | EventOf<"summary", PageSummarised>
  | EventOf<"fields", FieldsExtracted>
  | EventOf<"code", CodeRan>
  | EventOf<"ground", { words: string; element: number; told: string }>
  | EventOf<"act", ActionDone>
  | EventOf<"session.left", { url: string }>
  | EventOf<"findings", { findings: Kept<Finding[]>; items: number }>
  | EventOf<"counter", CounterMoved>
  | EventOf<"verdict", Judged>
  | EventOf<"proposal", { action: string; detail?: Record<string, unknown> }>
  | EventOf<"refusal", { action: string; reason: string }>
  | EventOf<"move", { move: string; url: string; reason: string }>
  | EventOf<"stack", { change: string; depth: number; path: Kept<string[]> }>
  | EventOf<"run.stopped", { answer: string; confidence: number }>
  | EventOf<"error", { error: string; message: string }>
  | EventOf<"damaged" | "run.start" | "net" | "stream" | "doubt" | "obs" | "run.end" | "fork", Record<string, unknown>>;

export type OfKind<Kind extends StepEvent["k"]> = Extract<StepEvent, { k: Kind }>;
