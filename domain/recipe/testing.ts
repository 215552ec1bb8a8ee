import type { IntentResult, ShownIntent } from '../../contracts/resources/agent-turn.ts';
import type { MetElement } from '../../contracts/resources/target.ts';
import { Suggesting, type PastTurn, type Suggestion } from './suggestion.ts';

type Success = Extract<IntentResult, { kind: 'success' }>;

const success = (intent: ShownIntent, target?: Success['target']): Success => ({
  ...{ kind: 'success', intent, summary: 'Done.' },
  ...(target && { target }),
});

const on = (name: string, role: string) => ({ selector: `#${name.toLowerCase()}`, text: name, role });

/** Recorded results of steps. */
export const did = {
  open: (url: string) => success({ kind: 'navigate', url }),
  type: (label: string, text: string) =>
    success({ kind: 'interact', action: { kind: 'type', label, text } }, on(label, 'textbox')),
  typeInto: (target: MetElement, text: string) =>
    success({ kind: 'interact', action: { kind: 'type', selector: target.selector, text } }, target),
  typeSecret: (label: string) =>
    success({ kind: 'interact', action: { kind: 'type', label, sensitive: true } }, on(label, 'textbox')),
  typeVariable: (label: string, variable: string, sensitive = true) =>
    success(
      { kind: 'interact', action: { kind: 'type', label, variable, ...(sensitive && { sensitive }) } },
      on(label, 'textbox'),
    ),
  tap: (text: string) => success({ kind: 'interact', action: { kind: 'tap', text } }, on(text, 'button')),
  choose: (label: string, value: string) =>
    success({ kind: 'interact', action: { kind: 'select', label, values: [value] } }, on(label, 'combobox')),
  tick: (label: string, checked: boolean) =>
    success({ kind: 'interact', action: { kind: 'check', label, checked } }, on(label, 'checkbox')),
  await: (text: string) => success({ kind: 'wait', condition: { kind: 'text', text } }),
  scroll: () => success({ kind: 'scroll', direction: 'down' }),
  upload: () =>
    success({ kind: 'interact', action: { kind: 'upload', label: 'File', files: [{ name: 'a' }] } }),
  failed: (): IntentResult => ({
    ...{ kind: 'failure', intent: { kind: 'navigate', url: 'http://sim.test/no' }, reason: 'No.' },
    diagnosis: { category: 'unknown', retryable: false },
  }),
};

/** A turn with these results, successful unless one of them is a failure. */
export const turn = (...results: readonly IntentResult[]): PastTurn => ({
  ...{ ok: results.every(({ kind }) => kind === 'success'), results, recipe: null },
  ...{ fromIndex: 0, toIndex: 1 },
});

/** The turns of a session, with consecutive transcript entries. */
export const turnsOf = (...turns: readonly PastTurn[]): readonly PastTurn[] =>
  turns.map((each, index) => ({ ...each, fromIndex: index * 2, toIndex: index * 2 + 1 }));

interface PastSession {
  /** The address opened before the first step. */
  readonly initialUrl: string | null;
  readonly turns: readonly PastTurn[];
}

/** The recipe suggested from an agent session. */
export function suggestionOf({ initialUrl, turns }: PastSession): Suggestion {
  const suggesting = new Suggesting();
  if (initialUrl !== null) suggesting.open(initialUrl);
  for (const each of turns) suggesting.add(each);
  return suggesting.outcome();
}
