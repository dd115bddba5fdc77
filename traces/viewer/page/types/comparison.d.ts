// Two runs compared; traces/compare/diff.py is the authority.

import type { Row, Summary } from "./run.js";

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
