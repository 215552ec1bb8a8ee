import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SessionTimeout, ServiceError, type AgentHandle } from '../../../contracts/client/index.ts';
import { ToolError } from '../advice.ts';
import { companionOf } from '../companion.ts';
import { maxWaitMs } from '../limits.ts';
import { observe } from '../looking.ts';
import { isOfSite } from '../secrets.ts';
import { defineTool, hints, schemas, type Answer, type Asking, type ToolContext } from '../tool.ts';
import { withinMaxWait } from '../waiting.ts';
import { oneLine } from '../words.ts';

const { described, session, string, strings } = schemas;

interface SigningIn {
  readonly session: string;
  readonly profile?: string;
  readonly secret?: string;
}

export const signIn = defineTool<SigningIn>({
  name: 'sign_in',
  title: 'Sign in',
  description:
    'Signs in on the page with a secret from the configuration of this server, or checks whether the profile is signed in. Returns done, failed, or the missing fields. You never see the values.',
  hints: hints.acts,
  takes: { 'session!': session, secret: described('Name of the secret'), profile: described('Id or name') },
  gives: { session: string, status: string, missing: strings },
  run: async (context, { session: id, profile, secret }) => {
    if ((profile === undefined) === (secret === undefined))
      throw new ToolError('sign_in takes either a profile or the name of a secret.');
    return secret === undefined ? byProfile(context, id, profile ?? '') : bySecret(context, id, secret);
  },
});

async function bySecret(context: ToolContext, id: string, name: string): Promise<Answer> {
  const { service, secrets, signal } = context;
  const secret = secrets.find(name);
  if (secret === undefined) {
    const known =
      secrets.names.length === 0 ? 'None is configured here.' : `There are: ${secrets.names.join(', ')}.`;
    throw new ToolError(`There is no secret of that name. ${known}`, 'hand_over lets a person sign in.');
  }
  const { site, url, ...fields } = secret;
  const place = url ?? (await observe(context, id)).url;
  if (!isOfSite(place, site))
    throw new ToolError(`The secret is for ${site}, and the page is not of that site.`, 'Go there first.');
  // The page may change until the values are typed, so the browser checks it again.
  const form = { fields, site, ...(url !== undefined && { url }) };
  const { status, fields: wanted = [] } = await service.sessions.login(id, form, { signal });
  if (status === 'authenticated') return signedIn(id);
  if (status === 'needs_input')
    return missing(
      id,
      wanted.map(({ name: field }) => oneLine(field, 40)),
    );
  return {
    lines: ['The page did not take it.'],
    more: [
      'Look at what it says, or hand_over to a person. Do not try it over and over: accounts get locked.',
    ],
    structured: { session: id, status: 'failed' },
    isError: true,
  };
}

/**
 * The saved state of a profile is loaded when its browser starts, so this only checks whether it is still signed in.
 */
async function byProfile(context: ToolContext, id: string, given: string): Promise<Answer> {
  const { service, signal } = context;
  const { profile_id: bound, metadata } = await service.sessions.get(id, { signal });
  const isThat =
    bound !== null && (bound === given || bound.endsWith(`_${given}`) || metadata.profile_name === given);
  if (!isThat)
    throw new ToolError(
      'This browser was not opened with that profile.',
      `open_browser with profile: ${oneLine(given, 100)}.`,
    );
  try {
    const asked = await service.sessions.login(id, { fields: {}, timeout_ms: formSearchMs }, { signal });
    const { fields = [] } = asked;
    return missing(
      id,
      fields.map(({ name }) => oneLine(name, 40)),
    );
  } catch (error) {
    const hasNoForm =
      error instanceof SessionTimeout ||
      (error instanceof ServiceError &&
        error.slug === 'driver-error' &&
        error.problem.category === 'element_not_found');
    if (hasNoForm) return signedIn(id);
    throw error;
  }
}

/** How long a sign-in form is searched for, in milliseconds. */
const formSearchMs = 2000;

const signedIn = (session: string): Answer => ({
  lines: ['Done: the page asks for no sign-in.'],
  structured: { session, status: 'done' },
});

const missing = (session: string, names: readonly string[]): Answer => ({
  lines: ['It is not signed in: the page asks for what is missing.'],
  words: names,
  more: ['hand_over lets a person give it.'],
  structured: { session, status: 'missing', missing: names },
});

interface HandingOver {
  readonly session: string;
  readonly why: string;
  readonly again?: boolean;
}

export const handOver = defineTool<HandingOver>({
  name: 'hand_over',
  title: 'Hand over to a person',
  description:
    'Creates a link by which a person can use the browser live, for steps that only they can do. Give them the link, then call again with the same why to wait (25 s) until they have given the browser back.',
  hints: hints.adds,
  takes: {
    'session!': session,
    'why!': described('Instructions for the person'),
    again: described('Create a new link, if the first was lost', schemas.boolean),
  },
  gives: { session: string, status: string, link: string },
  run: async (context, asked) => {
    const { service, signal, askPerson } = context;
    const agent = await companionOf(context, asked.session);
    const links = await service.agentSessionLinks.list(agent.id, { signal });
    const live = links.data.filter(({ right }) => right === 'control');
    const lifetime = lifetimeFor(asked.why);
    const own = live.filter((link) => lifetimeOf(link) === lifetime);
    const of = { session: asked.session, agent };
    const revoke = (some: readonly Link[]) =>
      Promise.all(some.map(({ id }) => service.agentSessionLinks.revoke(agent.id, id, { signal })));
    if (askPerson?.reply === 'decline' || askPerson?.reply === 'cancel') {
      await revoke(own);
      return {
        lines: ['The person has declined.'],
        structured: { session: asked.session, status: 'declined' },
      };
    }
    // A person who was asked in this call has the link by now.
    if (asked.again === true && askPerson?.reply === undefined) await revoke(live);
    else if (own[0] !== undefined) return waited(context, of, own[0]);
    return invited(context, of, asked.why);
  },
});

/** How long a link is valid at least, in seconds. */
const linkSeconds = 3600;

/**
 * Lifetime of the link of a request, in seconds: an hour, and up to ten minutes that derive from `why`. So every process finds
 * the link of a request among those of the agent session, and a handback for one request is not taken for that of a later one.
 */
const lifetimeFor = (why: string): number =>
  linkSeconds + (createHash('sha256').update(why).digest().readUInt32BE() % 600);

interface Link {
  readonly id: string;
  readonly created_at: string;
  readonly expires_at: string;
}

const lifetimeOf = ({ created_at: from, expires_at: to }: Link): number =>
  (Date.parse(to) - Date.parse(from)) / 1000;

async function invited(
  { service, signal, consoleUrl, askPerson }: ToolContext,
  { session: id, agent }: Of,
  why: string,
): Promise<Answer | Asking> {
  const { idle_timeout_seconds: idle = linkSeconds } = await service.sessions.get(id, { signal });
  const unusedSeconds = Math.min(idle, agent.idle_timeout_seconds ?? linkSeconds);
  // If the plan has no pair mode, the holder of the link drives at once, and the end of their work cannot be detected.
  await service.agents.mode(agent.id, { mode: 'pair' }, { signal }).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.slug !== 'forbidden') throw error;
  });
  const link = { right: 'control', ttl_seconds: lifetimeFor(why) } as const;
  const { token } = await service.agentSessionLinks.create(agent.id, link, { signal });
  const url = `${consoleUrl}/live#token=${encodeURIComponent(token)}`;
  if (askPerson !== undefined) return { ask: { message: oneLine(why, 500), url } };
  return {
    lines: [
      `Tell the person: ${oneLine(why, 500)}`,
      `The link is good for one person, ${usableFor(unusedSeconds)}: ${url}`,
    ],
    more: ['Then call hand_over again with the same why, to wait until they give the browser back.'],
    structured: { session: id, status: 'link', link: url },
  };
}

/** How long a link works that nobody has opened yet: its browser ends when it is not used for `unusedSeconds`. */
function usableFor(unusedSeconds: number): string {
  if (unusedSeconds >= linkSeconds) return 'for an hour';
  const time = unusedSeconds < 60 ? `${unusedSeconds} s` : `${Math.floor(unusedSeconds / 60)} min`;
  return `for ${time}, and for up to an hour while you wait with hand_over`;
}

interface Of {
  readonly session: string;
  readonly agent: AgentHandle;
}

const everyMs = 1500;
const givenBack: ReadonlySet<string> = new Set([
  'agent_session.pair_mode.handback',
  'agent_session.pair_mode.timeout',
]);

async function waited(context: ToolContext, { session: id, agent }: Of, link: Link): Promise<Answer> {
  const { service, signal } = context;
  const endsAt = performance.now() + maxWaitMs;
  const isBack = async (): Promise<boolean> => {
    const { mode, pair_mode_state: pair } = await service.agents.get(agent.id, { signal });
    if (mode !== 'pair' || pair?.kind !== 'ai-driving') return false;
    for await (const { data } of service.agents.past(agent.id, { limit: 20, signal }).byPage())
      return data.some(({ action, at }) => givenBack.has(action) && at > link.created_at);
    return false;
  };
  await keepOpen(context, id);
  while (performance.now() < endsAt) {
    if (await isBack()) {
      await service.agentSessionLinks.revoke(agent.id, link.id, { signal });
      return {
        lines: ['The person has given the browser back.'],
        more: ['Look at the page.'],
        structured: { session: id, status: 'given_back' },
      };
    }
    await pause(everyMs, undefined, { signal });
  }
  return {
    lines: ['The person has the browser, or the link.'],
    more: [
      'Call hand_over again with the same why to go on waiting, or go on once they say that they are done.',
    ],
    structured: { session: id, status: 'with_person' },
  };
}

/** Maximum milliseconds for a page to answer, which does not matter here. */
const observedWithinMs = 5000;

/** Uses the browser: without a use it and its agent session end, and the link with them. */
async function keepOpen(context: ToolContext, id: string): Promise<void> {
  try {
    await withinMaxWait(context, (signal) => observe({ ...context, signal }, id), observedWithinMs);
  } catch (error) {
    const isOpen = error instanceof ServiceError && !error.is('session-destroyed');
    // The use is recorded before the page is asked.
    if (!isOpen) throw error;
  }
}
