import type { FailureCategory } from '../../../../../contracts/operations.ts';
import type { Login } from '../../../../../contracts/resources/session-login.ts';
import type { Action, Capture, Condition } from '../../../../../contracts/resources/session.ts';

/** One operation of a case, in the contract's terms. */
export type Step =
  | Action
  | { readonly kind: 'wait'; readonly condition: Condition }
  | ({ readonly kind: 'capture' } & Omit<Capture, 'kind'>)
  | {
      readonly kind: 'extract';
      readonly schema: Record<string, unknown>;
      readonly selector?: string;
      readonly frame?: string | string[];
    }
  | ({ readonly kind: 'login' } & Login);

/**
 * What a session does on a page, and the expected result. Pages have `log(word)`, which collects words, and `late(ms,
 * work)`. `tells` is evaluated in the page at the end and compared; by default it is the log.
 */
export interface Case {
  readonly says: string;
  /** The body. `{{here}}` and `{{other}}` are addresses of its frames, on its own and on another origin. */
  readonly page: string;
  /** Bodies of further documents, by name. */
  readonly frames?: Readonly<Record<string, string>>;
  readonly does: Step | readonly Step[];
  readonly tells?: string;
  readonly expect?: string;
  /** The failure of the last step: its kind, a part of its reason, and its category. */
  readonly fails?: readonly [
    kind: 'timeout' | 'page' | 'unsupported',
    reason: RegExp,
    category?: FailureCategory,
  ];
  /** The summary of the last step, or what it extracted, as text. */
  readonly answers?: RegExp;
  /** Time limit of each step, in milliseconds. */
  readonly limit?: number;
}

export const tap = (selector: string): Action => ({ kind: 'tap', selector });
export const type = (
  selector: string,
  text: string,
  more: { clear?: boolean; delay_ms?: number } = {},
): Action => ({
  kind: 'type',
  selector,
  text,
  ...more,
});
export const press = (key: string, ...modifiers: ('cmd' | 'ctrl' | 'shift' | 'option')[]): Action => ({
  kind: 'press',
  key,
  modifiers,
});
export const wait = (condition: Condition): Step => ({ kind: 'wait', condition });

export const button = '<button id="b" onclick="log(\'clicked\')">Go</button>';
export const clicked = { does: tap('#b'), expect: 'clicked' };
export const on = (word: string) => `onclick="log('${word}')"`;
/** A page with this document in a frame `#f`, which the document removes by `parent.closes(word)`. The word is logged. */
export const closable = (inner: string): Pick<Case, 'page' | 'frames'> => ({
  page: `<iframe id="f" style="width:300px;height:300px" src="{{here}}inner"></iframe><script>function closes(word) { log(word); $('#f').remove() }</script>`,
  frames: { inner },
});
/** A tap on the element of `target`. */
export const named = (says: string, page: string, target: object, expect: string): Case => ({
  says,
  page,
  does: { kind: 'tap', ...target },
  expect,
});
