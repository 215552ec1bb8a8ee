import { deviceGrantEvents, type DeviceGrantEvent } from '../contracts/events/device-grant.ts';
import type { AccountId } from '../contracts/ids.ts';
import { oauthRefusal } from '../contracts/oauth.ts';
import { refuse } from '../contracts/problems.ts';
import { decideBy, type CommandsOf, type DataOf, type Decider, type Rules } from './kit/decider.ts';
import { isBefore } from './kit/time.ts';

type Requested = DataOf<DeviceGrantEvent, 'DeviceGrantRequested'>;

type Facts = Readonly<Omit<Requested, 'at'>>;
type Answered = Facts & { readonly accountId: AccountId };

/**
 * One run of the device flow.
 *
 * | state      | the device's poll is answered                          |
 * |------------|--------------------------------------------------------|
 * | none       | `invalid_grant`                                        |
 * | pending    | `authorization_pending`, or `slow_down` when too soon  |
 * | authorized | with a session, once                                   |
 * | denied     | `access_denied`                                        |
 * | redeemed   | `invalid_grant`                                        |
 *
 * From `expiresAt` a pending or authorized one answers `expired_token`.
 */
export type DeviceGrant =
  | { readonly status: 'none' }
  | (Facts & { readonly status: 'pending'; readonly polledAt: string | null })
  | (Answered & { readonly status: 'authorized'; readonly epoch: number })
  | (Answered & { readonly status: 'denied' })
  | (Answered & { readonly status: 'redeemed' });

export type DeviceGrantCommand = CommandsOf<{
  RequestGrant: Omit<Requested, 'at'>;
  /** `deviceCodes`: HMACs of the sent code, under each pepper. */
  PollGrant: { deviceCodes: readonly string[]; clientId: string };
  /** Issues the session to the device whose poll found the grant authorized. */
  RedeemGrant: unknown;
  AnswerGrant: { accountId: AccountId; approve: boolean; epoch: number };
}>;

/** How much an early poll adds to the interval (RFC 8628, 3.5). */
const slowDownSeconds = 5;
/** Maximum of the interval, in seconds. From there on early polls are no longer recorded. */
const longestIntervalSeconds = 60;

const rules: Rules<DeviceGrant, DeviceGrantCommand, DeviceGrantEvent> = {
  RequestGrant(state, { type: _, ...data }) {
    if (state.status !== 'none') throw refuse('conflict', 'The user code is already in use.');
    return [{ type: 'DeviceGrantRequested', data }];
  },
  PollGrant(state, { deviceCodes, clientId, at }) {
    if (state.status === 'none' || state.status === 'redeemed') throw oauthRefusal('invalid_grant');
    if (!deviceCodes.includes(state.deviceCode) || clientId !== state.clientId)
      throw oauthRefusal('invalid_grant');
    if (state.status === 'denied') throw oauthRefusal('access_denied');
    if (hasExpired(state, at)) throw oauthRefusal('expired_token');
    if (state.status === 'authorized') return [];
    const { polledAt, intervalSeconds } = state;
    if (polledAt === null || !isWithin(intervalSeconds, polledAt, at))
      return [{ type: 'DeviceGrantPolled', data: { at } }];
    if (intervalSeconds >= longestIntervalSeconds) throw oauthRefusal('slow_down');
    return [{ type: 'DeviceGrantSlowed', data: { intervalSeconds: intervalSeconds + slowDownSeconds, at } }];
  },
  RedeemGrant(state, { at }) {
    if (state.status !== 'authorized') throw oauthRefusal('invalid_grant');
    return [{ type: 'DeviceGrantRedeemed', data: { accountId: state.accountId, at } }];
  },
  /** Idempotent for the same answer by the same owner, who may have lost the reply. */
  AnswerGrant(state, { accountId, approve, epoch, at }) {
    if (state.status === 'none') throw unknownCode();
    if (state.status !== 'pending') {
      const isSame = state.accountId === accountId && approve === (state.status !== 'denied');
      if (isSame) return [];
      throw unknownCode();
    }
    if (hasExpired(state, at)) throw unknownCode();
    const { clientId, scopes } = state;
    const facts = { clientId, scopes, accountId };
    return approve
      ? [{ type: 'DeviceGrantAuthorized', data: { ...facts, epoch, at } }]
      : [{ type: 'DeviceGrantDenied', data: { ...facts, at } }];
  },
};

/** One detail for every code that cannot be answered, so that valid codes cannot be enumerated. */
export const unknownCode = () => refuse('not-found', 'No device is waiting for an answer to this code.');

const hasExpired = ({ expiresAt }: Facts, at: string): boolean => !isBefore(at, expiresAt);

/** Whether a poll is early. After a clock was set back, none is. */
function isWithin(seconds: number, since: string, at: string): boolean {
  const elapsed = Date.parse(at) - Date.parse(since);
  return elapsed >= 0 && elapsed < seconds * 1000;
}

export const deviceGrant: Decider<DeviceGrant, DeviceGrantCommand, DeviceGrantEvent> = {
  category: deviceGrantEvents,
  initialState: { status: 'none' },
  decide: decideBy(rules),
  evolve,
};

function evolve(state: DeviceGrant, event: DeviceGrantEvent): DeviceGrant {
  if (event.type === 'DeviceGrantRequested') {
    if (state.status !== 'none') return state;
    const { at: _, ...facts } = event.data;
    return { status: 'pending', ...facts, polledAt: null };
  }
  if (event.type === 'DeviceGrantRedeemed') {
    if (state.status !== 'authorized') return state;
    const { epoch: _, ...rest } = state;
    return { ...rest, status: 'redeemed' };
  }
  if (state.status !== 'pending') return state;
  const { polledAt: _, ...facts } = state;
  switch (event.type) {
    case 'DeviceGrantPolled':
      return { ...state, polledAt: event.data.at };
    case 'DeviceGrantSlowed':
      return { ...state, intervalSeconds: event.data.intervalSeconds, polledAt: event.data.at };
    case 'DeviceGrantAuthorized': {
      const { accountId, epoch } = event.data;
      return { ...facts, status: 'authorized', accountId, epoch };
    }
    case 'DeviceGrantDenied':
      return { ...facts, status: 'denied', accountId: event.data.accountId };
  }
}
