/** Touch events, in CSS pixels of the viewport. `finger` numbers the fingers. */
export type FingerStep =
  | { readonly type: 'down' | 'move'; readonly x: number; readonly y: number; readonly finger?: number }
  | { readonly type: 'up'; readonly finger?: number }
  | Pause;

/** Key events. A key is named by the character it writes, or by its X keysym. */
export type KeyStep =
  | { readonly type: 'press'; readonly key: string; readonly held?: readonly string[] }
  /** Text without a key, entered as by an input method. */
  | { readonly type: 'text'; readonly text: string }
  | Pause;

interface Pause {
  readonly type: 'pause';
  readonly ms: number;
}
