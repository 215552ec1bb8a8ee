/** What fingers do, in CSS pixels of the viewport. A finger goes down, moves and goes up; they are told apart by numbers. */
export type FingerStep =
  | { readonly type: 'down' | 'move'; readonly x: number; readonly y: number; readonly finger?: number }
  | { readonly type: 'up'; readonly finger?: number }
  | Pause;

/** What the keyboard does. Keys go by the character they write or by the name that X has for them. */
export type KeyStep =
  | { readonly type: 'press'; readonly key: string; readonly held?: readonly string[] }
  /** What no key writes comes as from an input method. */
  | { readonly type: 'text'; readonly text: string }
  | Pause;

interface Pause {
  readonly type: 'pause';
  readonly ms: number;
}
