// What the page is made of and where it gets a run from.

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
  /** Whether what a walk asks a person can be shown here. */
  asks: boolean;
  /** Whether it may be answered from this page. */
  mayAnswer(): boolean;
  /** Brings a choice; rejects with the reason where it was not taken. */
  answer(run: string, number: number, choice: number): Promise<void>;
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
