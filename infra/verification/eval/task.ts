import type { Intent } from '../../../contracts/resources/agent-turn.ts';
import type { ModelReply } from '../testbed/model-provider.ts';
import type { Submission } from './site.ts';

export const topics = [
  'forms',
  'lists',
  'pagination',
  'log-in',
  'downloads',
  'injection',
  'changing',
  'ambiguous',
  'shop',
] as const;

/** `grammar`: no model is asked. `scripted`: a provider on loopback says what the table says. `provider`: a real one. */
export const modes = ['grammar', 'scripted', 'provider'] as const;
export type Mode = (typeof modes)[number];

/** How the answer to a message is to be. */
export type Outcome = 'done' | 'halted' | 'asked';

/** One message. `{site}` stands for the address of the site. */
export interface Turn {
  /** As the grammar takes it. */
  readonly sentences: string;
  /** As somebody says it to a model. */
  readonly says: string;
  /**
   * What the scripted provider answers, one reply for each request; by default a plan of what `sentences` say. `prompt` is all that
   * the model was told.
   */
  readonly replies?: readonly ((site: string, prompt: string) => ModelReply)[];
  /** By default `done`. */
  readonly outcome?: { readonly grammar: Outcome; readonly model: Outcome };
  /** What a model's answer to it must say. */
  readonly answer?: RegExp;
}

export interface Task {
  readonly name: string;
  readonly topic: (typeof topics)[number];
  readonly turns: readonly Turn[];
  readonly ends: Ends;
}

/** How the browser and the site are when all is done, as seen from outside. */
export interface Ends {
  /** The path of the page in front. */
  readonly at?: string;
  readonly shows?: readonly string[];
  readonly hides?: readonly string[];
  /** Everything that pages sent, and nothing else. By default nothing. */
  readonly submitted?: readonly Submission[];
  readonly downloads?: readonly string[];
  /** Paths that nobody may ask for. */
  readonly neverVisits?: readonly string[];
  /** What the transcript must not have. */
  readonly secrets?: readonly string[];
}

export const interact = (action: Extract<Intent, { kind: 'interact' }>['action']): Intent => ({
  kind: 'interact',
  action,
});

export const goTo = (url: string): Intent => ({ kind: 'navigate', url });

/** The reference by which a model was told of an element. */
export function refOf(prompt: string, role: string, name: string): string {
  const line = prompt.split('\n').find((each) => each.includes(`] ${role} ${JSON.stringify(name)}`));
  const ref = /^\[(e\d+)\]/.exec(line ?? '')?.[1];
  if (ref === undefined) throw new Error(`The model was not told of a ${role} named ${name}.`);
  return ref;
}
