import type { Intent } from '../../../../contracts/resources/agent-turn.ts';
import { answering, usingTool } from '../../testbed/model-provider.ts';
import { goTo, interact, NotTold, refOf, type Reply, type Turn } from '../task.ts';

/** An intent that depends on the site, or on what the model was told. */
type Move = (site: string, told: string, elsewhere: string) => Intent;

const plan =
  (after: 'look' | 'done') =>
  (...moves: readonly Move[]): Reply =>
  (site, told, elsewhere) =>
    usingTool({ decision: 'plan', intents: moves.map((move) => move(site, told, elsewhere)), after });

/** What is carried out before the page is looked at again, and what is carried out last. */
export const look = plan('look');
export const done = plan('done');

/** Answers with what the model was told, and fails where it was not told that. */
export const reads =
  (pattern: RegExp): Reply =>
  (_, told) =>
    answering(`It is ${found(pattern, told)}.`);

export function found(pattern: RegExp, told: string): string {
  const [, text] = pattern.exec(told) ?? [];
  if (text === undefined) throw new NotTold(`The model was not told of ${pattern}.`);
  return text;
}

export const says =
  (text: string): Reply =>
  () =>
    answering(text);

export const open =
  (path: string): Move =>
  (site) =>
    goTo(`${site}${path}`);
export const goHome = open('/');
/** By the reference that the model was told. */
export const tap =
  (role: string, name: string): Move =>
  (_, told) =>
    interact({ kind: 'tap', ref: refOf(told, role, name) });
/** The one of several that are told of under this name, from 1. */
export const tapNth =
  (role: string, name: string, nth: number): Move =>
  (_, told) =>
    interact({ kind: 'tap', ref: refOf(told, role, name, nth) });
export const fill =
  (label: string, text: string): Move =>
  () =>
    interact({ kind: 'type', label, text, clear: true });
export const typeSecret =
  (label: string, text: string): Move =>
  () =>
    interact({ kind: 'type', label, text, sensitive: true });
export const choose =
  (label: string, value: string): Move =>
  () =>
    interact({ kind: 'select', label, values: [value] });
export const check =
  (label: string): Move =>
  () =>
    interact({ kind: 'check', label, checked: true });

export const closeTab: Move = () => interact({ kind: 'close_tab' });
/** A file of a text, into the field of this name. */
export const upload =
  (label: string, name: string, text: string): Move =>
  () =>
    interact({
      kind: 'upload',
      label,
      files: [{ name, mime: 'text/plain', data_base64: Buffer.from(text).toString('base64') }],
    });

/** It is said, in an answer or instead of one, that it cannot be done. */
export const saidSo: NonNullable<Turn['outcomes']> = {
  scripted: ['done'],
  policy: ['done', 'refused', 'asked'],
  model: ['done', 'refused', 'asked'],
};
