import type { CredentialKind } from '../contracts/credentials.ts';
import { webSessionEvents, type WebSessionEvent } from '../contracts/events/web-session.ts';
import { refuse, type Refusal } from '../contracts/problems.ts';
import { decideBy, type CommandsOf, type DataOf, type Decider, type Rules } from './kit/decider.ts';
import { isBefore } from './kit/time.ts';

type Opened = DataOf<WebSessionEvent, 'WebSessionOpened'>;

export interface OpenWebSession extends Readonly<Omit<Opened, 'at'>> {
  readonly status: 'open';
  readonly kind: Exclude<CredentialKind, 'api_key'>;
  /** Generation of the valid refresh token. */
  readonly generation: number;
  readonly refreshedAt: string;
}
export interface EndedWebSession extends Omit<OpenWebSession, 'status'> {
  readonly status: 'ended';
  readonly endedAt: string;
}

/**
 * One sign-in with the tokens issued from it.
 *
 * Each use of a refresh token issues the next generation. The previous one is accepted for a moment from the same holder, who may
 * have lost the answer, and gives the same successor. An older one, or the previous one from another holder, counts as stolen and
 * ends the session for all holders of its tokens (RFC 9700, 4.14.2).
 */
export type WebSession = { readonly status: 'none' } | OpenWebSession | EndedWebSession;

export type WebSessionCommand = CommandsOf<{
  OpenWebSession: Omit<Opened, 'at'>;
  /** A refresh token whose HMAC was verified. `holders`: HMACs of its one holder under each pepper, newest first. */
  RefreshWebSession: {
    generation: number;
    holders: readonly [string, ...string[]];
    refreshUntil: string;
  };
  ConfirmWebSession: unknown;
  EndWebSession: { reason: 'signed_out' };
}>;

/** How long a refresh may be repeated by a client that lost the answer. */
const lostAnswerMs = 10_000;

export const refreshRefused = (): Refusal =>
  refuse('invalid-auth-token', 'The refresh token is invalid or has expired. Sign in again.');

const rules: Rules<WebSession, WebSessionCommand, WebSessionEvent> = {
  OpenWebSession(state, { type: _, ...data }) {
    return state.status === 'none' ? [{ type: 'WebSessionOpened', data }] : [];
  },
  RefreshWebSession(state, { generation, holders, refreshUntil, at }) {
    if (state.status !== 'open' || !isBefore(at, state.refreshUntil)) throw refreshRefused();
    if (generation === state.generation) {
      const data = { ...of(state), generation: generation + 1, holder: holders[0], refreshUntil, at };
      return [{ type: 'WebSessionRefreshed', data }];
    }
    const isRepeated = generation === state.generation - 1 && holders.includes(state.holder);
    if (isRepeated && Date.parse(at) - Date.parse(state.refreshedAt) < lostAnswerMs) return [];
    return [{ type: 'WebSessionEnded', data: { ...of(state), reason: 'token_reused', at } }];
  },
  ConfirmWebSession(state, { at }) {
    if (state.status !== 'open') throw refuse('unauthorized', 'The session has ended. Sign in again.');
    if (state.confirmedAt === at) return [];
    return [{ type: 'WebSessionConfirmed', data: { ...of(state), at } }];
  },
  EndWebSession(state, { reason, at }) {
    return state.status === 'open' ? [{ type: 'WebSessionEnded', data: { ...of(state), reason, at } }] : [];
  },
};

const of = ({ webSessionId, accountId }: OpenWebSession) => ({ webSessionId, accountId });

export const webSession: Decider<WebSession, WebSessionCommand, WebSessionEvent> = {
  category: webSessionEvents,
  initialState: { status: 'none' },
  decide: decideBy(rules),
  evolve,
};

function evolve(state: WebSession, event: WebSessionEvent): WebSession {
  if (event.type === 'WebSessionOpened') {
    if (state.status !== 'none') return state;
    const { at, ...opened } = event.data;
    return { status: 'open', ...opened, generation: 0, refreshedAt: at };
  }
  if (state.status !== 'open') return state;
  switch (event.type) {
    case 'WebSessionRefreshed': {
      const { generation, holder, refreshUntil, at } = event.data;
      return { ...state, generation, holder, refreshUntil, refreshedAt: at };
    }
    case 'WebSessionConfirmed':
      return { ...state, confirmedAt: event.data.at };
    case 'WebSessionEnded':
      return { ...state, status: 'ended', endedAt: event.data.at };
  }
}
