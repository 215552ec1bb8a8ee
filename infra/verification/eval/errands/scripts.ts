import type { Intent } from '../../../../contracts/resources/agent-turn.ts';
import { answering, usingTool } from '../../testbed/model-provider.ts';
import { goTo, interact, NotInPrompt, refOf, type Reply, type Turn } from '../task.ts';

/** An intent that depends on the site, or on the model's prompt. */
type Move = (site: string, prompt: string, elsewhere: string) => Intent;

const plan =
  (after: 'look' | 'done') =>
  (...moves: readonly Move[]): Reply =>
  (site, prompt, elsewhere) =>
    usingTool({ decision: 'plan', intents: moves.map((move) => move(site, prompt, elsewhere)), after });

/** A plan before another look at the page, and a final plan. */
export const look = plan('look');
export const done = plan('done');

/** Answers with text from the prompt; throws `NotInPrompt` if it is not there. */
export const reads =
  (pattern: RegExp): Reply =>
  (_, prompt) =>
    answering(`It is ${found(pattern, prompt)}.`);

export function found(pattern: RegExp, prompt: string): string {
  const [, text] = pattern.exec(prompt) ?? [];
  if (text === undefined) throw new NotInPrompt(`The model was not told of ${pattern}.`);
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
/** Taps by the element's ref in the prompt. */
export const tap =
  (role: string, name: string): Move =>
  (_, prompt) =>
    interact({ kind: 'tap', ref: refOf(prompt, role, name) });
/** Taps the `nth` element of this name in the prompt, from 1. */
export const tapNth =
  (role: string, name: string, nth: number): Move =>
  (_, prompt) =>
    interact({ kind: 'tap', ref: refOf(prompt, role, name, nth) });
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
/** Uploads a text file to the field with this label. */
export const upload =
  (label: string, name: string, text: string): Move =>
  () =>
    interact({
      kind: 'upload',
      label,
      files: [{ name, mime: 'text/plain', data_base64: Buffer.from(text).toString('base64') }],
    });

/** Outcomes of a task that is impossible: the agent says so, in an answer or a refusal. */
export const saidImpossible: NonNullable<Turn['outcomes']> = {
  scripted: ['done'],
  policy: ['done', 'refused', 'asked'],
  model: ['done', 'refused', 'asked'],
};
