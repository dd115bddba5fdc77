// What our scripts keep from one call to the next, in a world of their own inside the page.

declare global {
  /** Controls of the last element map that have no name. */
  var walkerUnnamed: Element[] | undefined;
  /** What the page asked in dialogs, "kind: message". */
  var walkerDialogs: string[] | undefined;
  /** Lets the page move again. */
  var walkerLetGo: (() => void) | undefined;
}

export {};
