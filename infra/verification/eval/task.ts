import type { Intent } from '../../../contracts/resources/agent-turn.ts';
import type { ModelReply } from '../testbed/model-provider.ts';
import type { Fields, Site, Submission } from './site.ts';

/** What leads over several pages, and needs more than one look. */
export const errandTopics = [
  'signing in',
  'comparing',
  'ordering',
  'calendar',
  'upload',
  'consent',
  'scrolling',
  'tabs',
  'running out',
  'mistakes',
  'same name',
  'false orders',
  'not possible',
] as const;

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
  ...errandTopics,
] as const;

/**
 * `grammar`: no model is asked. `scripted`: a provider on loopback says what the table says. `policy`: it says what rules find in
 * what it is told. `model`: a real one. `tools`: no agent session, but a client of the tools of MCP that does what the sentences say.
 */
export const modes = ['grammar', 'scripted', 'policy', 'model', 'tools'] as const;
export type Mode = (typeof modes)[number];

/** How the answer to a message is to be. */
export type Outcome = 'done' | 'halted' | 'asked' | 'refused';

/** What a scripted provider answers; `told` is all that the model was told. */
export type Reply = (site: string, told: string, elsewhere: string) => ModelReply;

/** One message. `{site}` stands for the address of the site. */
export interface Turn {
  /** As the grammar takes it; empty where one look is not enough. */
  readonly sentences: string;
  /** As somebody says it to a model. */
  readonly says: string;
  /** What the scripted provider answers, one reply for each request; by default a plan of what `sentences` say. */
  readonly replies?: readonly Reply[];
  /** Those that are right in a mode; by default `done`. */
  readonly outcomes?: Partial<Readonly<Record<Mode, readonly Outcome[]>>>;
  /** What a model's answer to it must say. */
  readonly answer?: RegExp;
}

export interface Task {
  readonly name: string;
  readonly topic: (typeof topics)[number];
  readonly turns: readonly Turn[];
  readonly ends: Ends;
  /** By default the local pages. */
  readonly site?: Site;
}

/** By hand: a page that is asked for, or a form that is sent. */
export type Act = readonly [path: string, fields?: Fields];

/** A task on a site of its own, which has its state on the server. */
export interface Errand extends Task {
  readonly site: Site;
  readonly byHand: {
    readonly right: readonly Act[];
    readonly wrong: readonly Act[];
    readonly answer?: string;
  };
}

/** How the browser and the site are when all is done, as seen from outside. */
export interface Ends {
  /** The path of the page in front. */
  readonly at?: string;
  readonly shows?: readonly string[];
  readonly hides?: readonly string[];
  /** Paths that the agent must have asked for. */
  readonly visited?: readonly string[];
  /** All that the site has on record, and nothing else. By default nothing. */
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

/** What a scripted answer is made of is not on the page that the model was told of. */
export class NotTold extends Error {
  override readonly name = 'NotTold';
}

/** The reference by which a model was told of an element; of several under a name, the `nth`, from 1. */
export function refOf(told: string, role: string, name: string, nth = 1): string {
  const lines = told.split('\n').filter((each) => each.includes(`] ${role} ${JSON.stringify(name)}`));
  const ref = /^\[(e\d+)\]/.exec(lines[nth - 1] ?? '')?.[1];
  if (ref === undefined) throw new NotTold(`The model was not told of a ${role} named ${name}.`);
  return ref;
}
