import { byStream, field, grouped, type Evidence, type LogEvent } from '../evidence/index.ts';
import { answered, type Exchange } from '../history.ts';
import type { Invariant, Violation } from './invariant.ts';

export const oneAccountAnAddress: Invariant = {
  id: 'N12',
  holds: 'An address has one account at most, and one sign-up at most is told that it made it.',
  judged:
    'the answers to all sign-ups of an address, whatever its case, and the accounts that those requests left in the log; the raw reservation, account and login streams',
  violations: ({ history, log }) => {
    const made = grouped(
      log.filter(({ type }) => type === 'AccountCreated'),
      ({ requestId }) => requestId ?? '',
    );
    const signUps = history.filter(({ action }) => action === 'sign-up');
    return [
      ...[...grouped(signUps, addressOf)].flatMap(([address, same]) => accountsOf(address, same, made)),
      ...[...byStream(log, 'email')].flatMap(heldTwice),
      ...atMostOnce(log, 'account', 'AccountCreated'),
      ...atMostOnce(log, 'login', 'SignedUp'),
    ];
  },
};

const addressOf = ({ body }: Exchange): string =>
  String((body as { readonly email?: unknown } | undefined)?.email).toLowerCase();

function accountsOf(
  address: string,
  signUps: readonly Exchange[],
  made: ReadonlyMap<string, readonly LogEvent[]>,
): Violation[] {
  const requests = signUps.map(({ id }) => id);
  const done = signUps.filter(({ answer }) => answer.kind === 'done');
  const accounts = new Set([
    ...done.map((exchange) => String(answered(exchange, 'account_id'))),
    ...requests.flatMap((id) => made.get(id) ?? []).map((event) => field(event, 'accountId')),
  ]);
  return [
    ...(accounts.size > 1 ? [{ what: `${address} has ${accounts.size} accounts`, requests }] : []),
    ...(done.length > 1
      ? [{ what: `${done.length} sign-ups made the account of ${address}`, requests }]
      : []),
  ];
}

/** Reserved for a second account while the first has it. */
function heldTwice([stream, events]: readonly [string, readonly LogEvent[]]): Violation[] {
  let holder = '';
  const found: Violation[] = [];
  for (const event of events) {
    const account = field(event, 'accountId');
    if (event.type === 'EmailReserved' && holder !== '')
      found.push({ what: `an address of ${holder} was reserved for ${account}`, stream });
    holder = event.type === 'EmailReserved' ? account : '';
  }
  return found;
}

const atMostOnce = (log: Evidence['log'], category: string, type: string): Violation[] =>
  [...byStream(log, category)]
    .map(([stream, events]) => ({ stream, times: events.filter((event) => event.type === type).length }))
    .filter(({ times }) => times > 1)
    .map(({ stream, times }) => ({ what: `there are ${times} ${type}`, stream }));
