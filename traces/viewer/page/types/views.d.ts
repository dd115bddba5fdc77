// What stands across the steps; traces/viewer/known_site.py and texts.py, walker/runs/threshold_whatif.py and state_at_step.py are the
// authority.

import type { CountedItem, Finding, Merge } from "./events.js";
import type { PageLink } from "./step.js";

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
