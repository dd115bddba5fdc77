// A run with a row for each step; traces/viewer/opened_run.py and traces/viewer/steps.py are the authority.

export interface Summary {
  id: string;
  question: string;
  root_url: string;
  created: number;
  state: "ended" | "failed" | "live" | "cut off" | "unreadable";
  stop_reason: string;
  answer: string;
  confidence: number;
  sure: number;
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

export interface AskedChoice {
  text: string;
  detail: string;
  url: string;
}

/** What a walk asks a person; walker/handover/open_question.py is the authority. */
export interface Asked {
  number: number;
  until: number;
  pause: { kind: string; text: string; url: string; choices: AskedChoice[] };
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
