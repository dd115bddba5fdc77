// The shapes of what the Python side sends. Its modules are the authority: traces/events.py for events, traces/viewer/*.py for a
// run and its parts, traces/compare/diff.py, walker/runs/threshold_whatif.py and walker/runs/state_at_step.py for what is computed.

export type Child = Node | string | null | undefined | false | readonly Child[];

export interface Attributes {
  style?: Record<string, string>;
  onclick?: (event: MouseEvent) => unknown;
  onpointermove?: (event: PointerEvent) => unknown;
  onchange?: (event: Event) => unknown;
  oninput?: (event: Event) => unknown;
  onscroll?: (event: Event) => unknown;
  ontoggle?: (event: Event) => unknown;
  [name: string]: unknown;
}

// Where a run comes from.

/** What a view may be drawn from: the names of "RUN/overview", "RUN/steps/12" and so on are given part by part. */
export interface Source {
  /** "server", "static" or "embedded". */
  kind: string;
  /** Whether the viewer's own code answers, and may be asked for what nobody has asked before. */
  isLive: boolean;
  json(...parts: (string | number)[]): Promise<any>;
  bytes(run: string, digest: string): Promise<Uint8Array<ArrayBuffer>>;
  text(run: string, digest: string): Promise<string>;
  pictureUrl(run: string, digest: string): Promise<string>;
}

/** Bytes of a name, and their media type. */
export type Read = (name: string) => Promise<{ data: Uint8Array<ArrayBuffer>; media: string }>;

/** Start, size, media type, and whether it is compressed. */
export type PackedPlace = [number, number, string, boolean];

/** What the page itself asks of whatever it shows. */
export interface ShownPage {
  /** Whether the key meant something here. */
  key(event: KeyboardEvent): boolean;
  leave(): void;
  /** The address changed within the page. */
  route?(): void;
}

export interface Route {
  run?: string | null;
  view?: string;
  step?: number | null;
  call?: number | null;
  pane?: string | null;
  words?: string;
  compare?: string | null;
  other?: string | null;
}

// A run.

export interface Summary {
  id: string;
  question: string;
  root_url: string;
  created: number;
  state: "ended" | "failed" | "live" | "cut off" | "unreadable";
  stop_reason: string;
  answer: string;
  confidence: number;
  pages: number;
  steps: number;
  seconds: number;
  model: string;
  model_calls: number;
  prompt_tokens: number;
  completion_tokens: number;
  cost: number;
  looks: number;
  bytes: number;
}

export interface Manifest {
  question: string;
  root_url: string;
  parent?: { run_id: string; after_step: number } | null;
  package?: { version?: string };
  settings?: { model?: { prompt_price?: number; completion_price?: number } | null };
  env?: Record<string, string>;
  record?: Record<string, string>;
}

export interface Row {
  step: number;
  url: string;
  title: string;
  status: number;
  began: number;
  ended: number;
  depth: number;
  parent: number;
  outcome: "" | "rejected" | "failed" | "error";
  why: string;
  score: number;
  trust: number;
  threshold: number;
  choice: "" | "read" | "glance" | "look";
  findings: number;
  items: number;
  counted: number;
  sufficient: boolean;
  answer: string;
  move: string;
  move_url: string;
  reason: string;
  refusals: number;
  errors: number;
  calls: number;
  tokens: number;
  picture: string;
  spent: Record<string, number>;
  /** The title without what all titles of the site end in; set by the page. */
  label: string;
}

export interface Problem {
  weight: "error" | "warning" | "note";
  step: number;
  line: number;
  text: string;
}

export interface Overview {
  summary: Summary;
  manifest: Manifest;
  lines: number;
  steps: number;
  columns: (keyof Row)[];
  rows: unknown[][];
  problems: Problem[];
  more_problems: number;
}

/** An overview with its rows by the names of their columns. */
export type Run = Omit<Overview, "rows"> & { rows: Row[] };

/** For a million tokens. */
export interface Prices {
  prompt: number;
  reply: number;
}

// Values of events, which may lie in a blob of their own, or be gone.

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
  | EventOf<"page.open", PageOpened>
  | EventOf<"page.fail", { url: string; kind: string; message: string }>
  | EventOf<"page.reject", { url: string; reason: string; detail: string }>
  | EventOf<"us", Understood>
  | EventOf<"gate", GateDecided>
  | EventOf<"look", { model: string; texts: number; regions?: number; notes?: Kept<string[]> }>
  | EventOf<"crop", PictureCropped>
  | EventOf<"findings", { findings: Kept<Finding[]>; items: number }>
  | EventOf<"counter", CounterMoved>
  | EventOf<"verdict", Judged>
  | EventOf<"proposal", { action: string; detail?: Record<string, unknown> }>
  | EventOf<"refusal", { action: string; reason: string }>
  | EventOf<"move", { move: string; url: string; reason: string }>
  | EventOf<"stack", { change: string; depth: number; path: Kept<string[]> }>
  | EventOf<"error", { error: string; message: string }>
  | EventOf<"damaged" | "run.start" | "net" | "stream" | "doubt" | "obs" | "run.end" | "fork", Record<string, unknown>>;

export type OfKind<Kind extends StepEvent["k"]> = Extract<StepEvent, { k: Kind }>;

// A step.

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

/** An element of a recorded view: id, kind, role, name, text, left, upper edge, width, height; the last but one... by place. */
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

// Calls of models.

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

// What stands across the steps.

export interface MapPage {
  step: number;
  url: string;
  title: string;
  parent: number;
  outcome: string;
  score: number;
  steps: number[];
  unopened: [string, string][];
  more: number;
}

export interface SiteMap {
  pages: MapPage[];
  links: [number, number][];
}

export interface Spot {
  x: number;
  y: number;
}

/** Step, kind, number of its event, text. */
export type Passage = [number, string, number, string];

/** Step, kind, number of its event, words before it, the words, words behind them. */
export type Hit = [number, string, number, string, string, string];

export interface Hits {
  hits: Hit[];
  found: number;
  read_steps: number;
  is_done: boolean;
  is_cut: boolean;
}

/** A decision of the gate as a slider needs it. */
export interface GateCase {
  step: number;
  url: string;
  title: string;
  is_second: boolean;
  was: "read" | "glance" | "look";
  trust: number;
  lowering: number;
  read_up_to: number;
  otherwise: "read" | "glance" | "look";
  own: "read" | "glance" | "look";
}

export interface GateSlider {
  grid: number;
  tau: number | null;
  tau2: number | null;
  own_weights: Record<string, number> | null;
  cases: GateCase[];
}

export interface Scenario {
  flips: (GateCase & { becomes: "read" | "glance" | "look" })[];
  glances: number;
  looks: number;
  glancesBefore: number;
  looksBefore: number;
  saved: number;
  /** The step at which the walk leaves its recording, 0 where it does not. */
  leaves: number;
}

export interface StateAtStep {
  step: number;
  last_step: number;
  answer: string;
  confidence: number;
  missing: string[];
  ended_with: string;
  stack: StateFrame[];
  counter: StateCounter;
  findings: (Finding & { step: number })[];
  pages: { step: number; url: string; title: string; outcome?: string; gist?: string }[];
}

export interface StateFrame {
  url: string;
  title: string;
  reason?: string;
  page_number?: number;
  untried?: PageLink[];
}

export interface StateCounter {
  requirement?: { mode: string; target?: number; noun?: string };
  items?: (CountedItem & { step: number })[];
  merges?: Merge[];
  found: number;
  stated_total?: number;
  complete: boolean;
  done: boolean;
}

// Two runs compared.

export interface Difference {
  field: string;
  expected: unknown;
  got: unknown;
}

export interface StepPair {
  one: number;
  other: number;
  url: string;
  title: string;
  differences: { stage: string; field: string; one: unknown; other: unknown }[];
}

export interface Cause {
  stage: string;
  field: string;
  one_step: number;
  other_step: number;
  one: unknown;
  other: unknown;
}

export interface WalkDiff {
  is_equal: boolean;
  settings: Difference[];
  pairs: StepPair[];
  first: StepPair | null;
  chain: Cause[];
  end: Difference[];
  cost: Record<string, [number, number]>;
  origins: [string, string][];
}

/** One of the two walks that are compared. */
export interface Side {
  name: string;
  letter: "A" | "B";
  summary: Summary;
  rows: Map<number, Row>;
  pictureUrl(digest: string): Promise<string>;
}
