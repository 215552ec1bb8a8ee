import { byStream, field, grouped, type LogEvent } from '../evidence/index.ts';
import type { Exchange } from '../history.ts';
import type { Invariant, Violation } from './invariant.ts';

/** Events that a token may cause once, including the session that a magic link opens. */
const effects = [
  'EmailVerified',
  'MagicLinkUsed',
  'PasswordReset',
  'WebSessionOpened',
  'TeamMemberJoined',
  'SignInMethodConfirmed',
] as const;

/** Actions that present a token from a mail. */
const presenting = ['verify-email', 'use-magic-link', 'reset-password', 'confirm-merge', 'accept-invitation'];

export const tokensWorkOnce: Invariant = {
  id: 'N13',
  holds:
    'The token of a mail has one effect at most, and none once it was replaced, withdrawn or has expired.',
  judged:
    'the answers to, and the events of, all requests that present one token; the raw login and team streams, replayed against a second copy of which tokens are open',
  violations: ({ history, log }) => {
    const presented = grouped(
      history.filter(({ action }) => presenting.includes(action)),
      tokenOf,
    );
    const caused = grouped(log, ({ requestId }) => requestId ?? '');
    return [
      ...[...presented.values()].flatMap((same) => effectsOf(same, caused)),
      ...[...byStream(log, 'login')].flatMap(([stream, events]) => withoutToken(stream, events, login)),
      ...[...byStream(log, 'team_member')].flatMap(([stream, events]) => withoutToken(stream, events, team)),
    ];
  },
};

const tokenOf = ({ body }: Exchange): string =>
  String((body as { readonly token?: unknown } | undefined)?.token);

function effectsOf(
  exchanges: readonly Exchange[],
  caused: ReadonlyMap<string, readonly LogEvent[]>,
): Violation[] {
  const requests = exchanges.map(({ id }) => id);
  const done = exchanges.filter(({ answer }) => answer.kind === 'done');
  const events = grouped(
    requests.flatMap((id) => caused.get(id) ?? []),
    ({ type }) => type,
  );
  return [
    ...(done.length > 1
      ? [{ what: `one token was taken ${done.length} times by ${done[0]?.action}`, requests }]
      : []),
    ...effects
      .map((type) => ({ type, times: events.get(type)?.length ?? 0 }))
      .filter(({ times }) => times > 1)
      .map(({ type, times }) => ({ what: `one token left ${times} ${type}`, requests })),
  ];
}

/** Open tokens of a stream: purpose and expiry. */
type Open = Map<string, string>;

/** For each event: the tokens it opens and closes, and the one it requires. */
interface Rules {
  readonly opens: (event: LogEvent) => string | undefined;
  readonly needs: Readonly<Record<string, string>>;
  /** Events that need no token right after one of these, in the same request. */
  readonly follows: Readonly<Record<string, readonly string[]>>;
  /** Tokens closed besides the required one; `*` for all. */
  readonly closes: Readonly<Record<string, readonly string[]>>;
}

const login: Rules = {
  opens: (event) => (event.type === 'OneTimeTokenIssued' ? field(event, 'purpose') : undefined),
  needs: {
    EmailVerified: 'verification',
    MagicLinkUsed: 'magic_link',
    PasswordReset: 'password_reset',
    SignInMethodConfirmed: 'merge',
  },
  follows: { EmailVerified: ['MagicLinkUsed', 'PasswordReset'] },
  closes: { MagicLinkUsed: ['verification'], PasswordReset: ['*'] },
};

const team: Rules = {
  opens: ({ type }) => (type === 'TeamMemberInvited' ? 'invitation' : undefined),
  needs: { TeamMemberJoined: 'invitation' },
  follows: {},
  closes: { TeamInvitationWithdrawn: ['*'], TeamMemberRemoved: ['*'] },
};

function withoutToken(stream: string, events: readonly LogEvent[], rules: Rules): Violation[] {
  const open: Open = new Map();
  return events.flatMap((event, index) => {
    const { type } = event;
    const [opened, needed] = [rules.opens(event), neededBy(event, events[index - 1], rules)];
    if (opened !== undefined) open.set(opened, field(event, 'expiresAt'));
    const isOpen = needed === undefined || field(event, 'at') < (open.get(needed) ?? '');
    const closed = [...(needed === undefined ? [] : [needed]), ...(rules.closes[type] ?? [])];
    for (const purpose of closed)
      if (purpose === '*') open.clear();
      else open.delete(purpose);
    return isOpen ? [] : [{ what: `${type} came without a token that was open`, stream }];
  });
}

/** The purpose of the token that an event requires; undefined if it requires none. */
function neededBy({ type, requestId }: LogEvent, before: LogEvent | undefined, rules: Rules) {
  const isSameRequest = before?.requestId === requestId;
  return isSameRequest && rules.follows[type]?.includes(before.type) ? undefined : rules.needs[type];
}
