import type { Intent } from '../../../contracts/resources/agent-turn.ts';
import type { ModelReply } from '../testbed/model-provider.ts';
import type { Fields, Site, Submission } from './site.ts';

/** Topics of tasks over several pages, which need more than one look. */
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
 * `grammar`: no model. `scripted`: a provider on loopback that answers from a table. `policy`: one that answers by rules
 * applied to the prompt. `model`: a real one. `tools`: no agent session, but an MCP client that executes the sentences.
 */
export const modes = ['grammar', 'scripted', 'policy', 'model', 'tools'] as const;
export type Mode = (typeof modes)[number];

/** Outcome of a message. */
export type Outcome = 'done' | 'halted' | 'asked' | 'refused';

/** A scripted provider's answer; `prompt` is the whole one. */
export type Reply = (site: string, prompt: string, elsewhere: string) => ModelReply;

/** One message. `{site}` is replaced by the address of the site. */
export interface Turn {
  /** The message in the grammar's sentences; empty if one look is not enough. */
  readonly sentences: string;
  /** The message as a person would say it to a model. */
  readonly says: string;
  /** The scripted provider's replies, one per request; by default the plan of `sentences`. */
  readonly replies?: readonly Reply[];
  /** Correct outcomes by mode; by default `done`. */
  readonly outcomes?: Partial<Readonly<Record<Mode, readonly Outcome[]>>>;
  /** What a model's answer must match. */
  readonly answer?: RegExp;
}

export interface Task {
  readonly name: string;
  readonly topic: (typeof topics)[number];
  readonly turns: readonly Turn[];
  readonly ends: Ends;
  /** Default: the local pages. */
  readonly site?: Site;
}

/** A request without an agent: a page, or a form with fields. */
export type Act = readonly [path: string, fields?: Fields];

/** A task on its own site with server-side state. */
export interface Errand extends Task {
  readonly site: Site;
  readonly byHand: {
    readonly right: readonly Act[];
    readonly wrong: readonly Act[];
    readonly answer?: string;
  };
}

/** Expected final state of the browser and the site, observed from outside. */
export interface Ends {
  /** Path of the active page. */
  readonly at?: string;
  readonly shows?: readonly string[];
  readonly hides?: readonly string[];
  /** Paths that must have been requested. */
  readonly visited?: readonly string[];
  /** The site's complete record. Default: empty. */
  readonly submitted?: readonly Submission[];
  readonly downloads?: readonly string[];
  /** Paths that must not be requested. */
  readonly neverVisits?: readonly string[];
  /** Texts that must not be in the transcript. */
  readonly secrets?: readonly string[];
}

export const interact = (action: Extract<Intent, { kind: 'interact' }>['action']): Intent => ({
  kind: 'interact',
  action,
});

export const goTo = (url: string): Intent => ({ kind: 'navigate', url });

/** The prompt's page lacks what a scripted reply needs. */
export class NotInPrompt extends Error {
  override readonly name = 'NotInPrompt';
}

/** The ref of an element in the prompt; the `nth` of this name, from 1. Throws `NotInPrompt` if there is none. */
export function refOf(prompt: string, role: string, name: string, nth = 1): string {
  const lines = prompt.split('\n').filter((each) => each.includes(`] ${role} ${JSON.stringify(name)}`));
  const ref = /^\[(e\d+)\]/.exec(lines[nth - 1] ?? '')?.[1];
  if (ref === undefined) throw new NotInPrompt(`The model was not told of a ${role} named ${name}.`);
  return ref;
}
