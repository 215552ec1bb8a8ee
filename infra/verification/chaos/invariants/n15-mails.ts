import { byStream, field, grouped, type Evidence, type LogEvent } from '../evidence/index.ts';
import type { Exchange } from '../history.ts';
import { letterOf, type Letter } from '../letters.ts';
import type { Invariant, Violation } from './invariant.ts';

/** The mail that must follow the token of each purpose. */
const templates: Readonly<Record<string, string>> = {
  verification: 'account-verification',
  magic_link: 'magic-link',
  password_reset: 'password-reset',
  merge: 'sign-in-merge',
};

export const askedForMailsCome: Invariant = {
  id: 'N15',
  holds:
    'Every acknowledged sign-up, request for a link and invitation led to one mail, to the address it is for.',
  judged:
    'the clients’ history against the tokens in the raw login and team streams, those against the raw mail streams, and these against what the mail server took; copies of one mail have one id',
  violations: (evidence) => {
    const addresses = addressesIn(evidence);
    const logins = grouped(
      evidence.log.filter(({ category }) => category === 'login'),
      (event) => field(event, 'accountId'),
    );
    return [
      ...evidence.history
        .filter(({ answer }) => answer.kind === 'done')
        .flatMap((exchange) => withoutToken(exchange, logins, addresses)),
      ...miscounted(evidence.log),
      ...undelivered(evidence, addresses),
    ];
  },
};

/** An account, and the sign-up that created it. */
interface Made {
  readonly account: string;
  readonly signUp: Exchange;
}

/** Accounts by address. Addresses are sealed in the log, so they come from the sign-up requests. */
function addressesIn({ history, log }: Evidence): ReadonlyMap<string, Made> {
  const made = log.filter(({ type }) => type === 'AccountCreated');
  const accounts = new Map(made.map((event) => [event.requestId, field(event, 'accountId')]));
  const signUps = history.filter(({ id, action }) => action === 'sign-up' && accounts.has(id));
  return new Map(
    signUps.map((signUp) => [addressOf(signUp), { account: String(accounts.get(signUp.id)), signUp }]),
  );
}

const addressOf = ({ body }: Exchange): string =>
  String((body as { readonly email?: unknown } | undefined)?.email).toLowerCase();

function withoutToken(
  exchange: Exchange,
  logins: ReadonlyMap<string, readonly LogEvent[]>,
  addresses: ReadonlyMap<string, Made>,
): Violation[] {
  const { id, action, target } = exchange;
  if (action !== 'sign-up' && action !== 'request-link') return [];
  const made = addresses.get(addressOf(exchange));
  // The address is not registered, or was not yet: an earlier sign-up only made its reservation.
  if (made === undefined) return [];
  const { account, signUp } = made;
  const isYetToCome = action === 'request-link' && !isAnsweredBefore(signUp, exchange);
  const events = logins.get(account) ?? [];
  const tokens = events.filter(({ type }) => type === 'OneTimeTokenIssued');
  const found =
    action === 'sign-up'
      ? Number(tokens.some(({ data }) => data.purpose === 'verification'))
      : tokens.filter(({ requestId }) => requestId === id).length;
  const mayBeNone = isYetToCome || (target.endsWith('/resend') && needsNone(events));
  if (found === 1 || (found === 0 && mayBeNone)) return [];
  return [{ what: `an acknowledged ${target} left ${found} tokens`, requests: [id] }];
}

const isAnsweredBefore = ({ answeredAt = Infinity }: Exchange, { sentAt }: Exchange): boolean =>
  answeredAt <= sentAt;

/** No token is needed if the address is verified, or if an interrupted sign-up sends its link on completion. */
const needsNone = (events: readonly LogEvent[]): boolean =>
  events.some(({ type, requestId }) =>
    type === 'SignedUp'
      ? requestId === null
      : ['EmailVerified', 'MagicLinkUsed', 'PasswordReset'].includes(type),
  );

/** The number of mails queued for an account equals the number that its events call for, by template. */
function miscounted(log: readonly LogEvent[]): Violation[] {
  const wanted = [
    ...log.flatMap(wantedByLogin),
    ...[...byStream(log, 'team_member').values()].flatMap(wantedByTeam),
  ];
  const asked = grouped(wanted, ({ mail }) => mail);
  const queued = grouped(
    log.filter(({ type, data }) => type === 'MailQueued' && isAskedFor(data.template)),
    (event) => `${field(event, 'template')} of ${field(event, 'accountId')}`,
  );
  return [...new Set([...asked.keys(), ...queued.keys()])].flatMap((mail) => {
    const count = queued.get(mail)?.length ?? 0;
    const all = asked.get(mail) ?? [];
    const least = all.filter(({ isCertain }) => isCertain).length;
    if (least <= count && count <= all.length) return [];
    return [{ what: `${count} mails ${mail} were queued, and ${least} to ${all.length} were asked for` }];
  });
}

const isAskedFor = (template: unknown): boolean =>
  template === 'team-invitation' || Object.values(templates).some((each) => each === template);

interface Wanted {
  readonly mail: string;
  readonly isCertain: boolean;
}

const wantedByLogin = (event: LogEvent): Wanted[] =>
  event.type === 'OneTimeTokenIssued'
    ? [{ mail: `${templates[field(event, 'purpose')]} of ${field(event, 'accountId')}`, isCertain: true }]
    : [];

/** An invitation that expires before its mail is queued gets none. */
const wantedByTeam = (events: readonly LogEvent[]): Wanted[] =>
  events.flatMap((event, index) => {
    if (event.type !== 'TeamMemberInvited') return [];
    const next = events[index + 1]?.type;
    const isCertain = next === undefined || next === 'TeamMemberJoined';
    return [{ mail: `team-invitation of ${field(event, 'ownerAccountId')}`, isCertain }];
  });

function undelivered(evidence: Evidence, addresses: ReadonlyMap<string, Made>): Violation[] {
  const letters = grouped(evidence.mails.map(letterOf), ({ mailId }) => mailId);
  const emails = new Map([...addresses].map(([email, { account }]) => [account, email]));
  return [...byStream(evidence.log, 'mail')].flatMap(([stream, events]) => {
    const [queued] = events;
    if (queued === undefined || !isAskedFor(queued.data.template)) return [];
    const copies = letters.get(field(queued, 'mailId')) ?? [];
    // Also true for a mail that the server accepted in an attempt that the service took for failed.
    const hasEnded = events.some(({ type }) => type === 'MailSent') && copies.length > 0;
    const isSent = hasEnded || hasExpired(evidence, events);
    return [
      ...(isSent ? [] : [{ what: `a mail (${field(queued, 'template')}) did not come`, stream }]),
      ...misdirected(queued, copies, emails.get(field(queued, 'accountId'))).map((what) => ({
        what,
        stream,
      })),
    ];
  });
}

/** Links outlive any run, unless the clock is moved. */
const hasExpired = ({ clockJumps }: Evidence, events: readonly LogEvent[]): boolean =>
  clockJumps.some(({ ms }) => ms > 0) &&
  events.some(({ type, data }) => type === 'MailAbandoned' && data.reason === 'expired');

/** The address of an invitation is sealed in the log. */
const misdirected = (queued: LogEvent, copies: readonly Letter[], email: string | undefined): string[] =>
  email === undefined || queued.data.template === 'team-invitation'
    ? []
    : copies
        .filter(({ to }) => to.toLowerCase() !== email)
        .map(({ mailId }) => `${mailId} went to somebody else`);
