import { EFFECTIVE_AFTER_MS } from '../workload/key-actions.ts';
import { grouped, type Evidence } from '../evidence/index.ts';
import type { Exchange } from '../history.ts';
import type { Invariant, Violation } from './invariant.ts';

/** Answers that clients may get under any fault: the statuses of the contract, and never a 500. */
const statuses = [200, 201, 202, 204, 401, 403, 404, 409, 410, 429, 502, 503, 504];

export const answersAreKept: Invariant = {
  id: 'answers',
  holds:
    'Every answer is one of the contract’s, none is a 500, a good key is never refused, and all are served again afterwards.',
  judged:
    'the statuses in the clients’ history; each account’s try to create, drive and end a session after the drain',
  violations: (evidence) => [
    ...evidence.history.flatMap((exchange) => wrongStatus(evidence, exchange)),
    ...evidence.unserved.map((what) => ({ what })),
  ],
};

function wrongStatus(evidence: Evidence, exchange: Exchange): Violation[] {
  const { id, action, answer } = exchange;
  const { status, text } = answer;
  if (status === undefined) return [];
  const shown = text?.slice(0, 300);
  if (!statuses.includes(status))
    return [{ what: `${action} was answered ${status}: ${shown}`, requests: [id] }];
  if (action.startsWith('try-')) return wronglyAccepted(evidence, exchange);
  if (mayBeRefused.includes(action)) return [];
  if (status === 401 && !hasExpired(evidence, exchange))
    return [{ what: `${action} with a good key was answered 401: ${shown}`, requests: [id] }];
  return [];
}

/** Actions with a token that works once, or on a session that is being ended at the same time. */
const mayBeRefused = [
  ...['verify-email', 'use-magic-link', 'reset-password', 'confirm-merge', 'accept-invitation'],
  ...['use-meanwhile', 'refresh-meanwhile', 'open-link'],
];

/** The contract's lifetime of an access token, in milliseconds. */
const ACCESS_MS = 900_000;

/** An access token of a web session that was opened long enough ago, or by a clock that was moved since. */
function hasExpired(evidence: Evidence, { answer, session, answeredAt = Infinity }: Exchange): boolean {
  if (answer.text?.includes('/expired-key"') !== true) return false;
  const opened = evidence.history.find(({ id }) => id === session);
  if (opened !== undefined && answeredAt - opened.sentAt >= ACCESS_MS) return true;
  return evidence.clockJumps.some(({ at, ms }) => ms > 0 && at < answeredAt);
}

/**
 * Reports a key that is accepted long after it was revoked, or its account suspended. Stale answers are marked as such.
 * While Postgres is down an account's last write cannot be recorded, so readers do not wait for it.
 */
function wronglyAccepted(
  evidence: Evidence,
  { id, action, answer, sentAt, answeredAt }: Exchange,
): Violation[] {
  if (answer.kind !== 'done' || answer.headers['x-service-stale'] === 'true') return [];
  if (wasPostgresDown(evidence, sentAt - 2 * EFFECTIVE_AFTER_MS, answeredAt ?? Infinity)) return [];
  return [{ what: `${action} was let in`, requests: [id] }];
}

/** Actions that read the account's own resources. */
const reads = ['get', 'list'];

export const readsAreFresh: Invariant = {
  id: 'fresh',
  holds: 'A read that does not say it is stale shows every write its account was told of before it.',
  judged:
    'the order of the clients’ history; reads across a crash of Postgres, which forgets who wrote last, are left out',
  violations: (evidence) => {
    const writes = grouped(
      evidence.history.filter(({ action, answer }) => answer.kind === 'done' && isWrite(action)),
      ({ account }) => account,
    );
    return evidence.history.flatMap((read) =>
      reads.includes(read.action) ? stale(evidence, read, writes.get(read.account) ?? []) : [],
    );
  },
};

const isWrite = (action: string): boolean => action === 'create' || action === 'destroy';

function stale(evidence: Evidence, read: Exchange, writes: readonly Exchange[]): Violation[] {
  const { answer, answeredAt = Infinity } = read;
  const isAnswered = answer.kind === 'done' || answer.kind === 'refused';
  if (
    !isAnswered ||
    answer.status >= 429 ||
    answer.status === 403 ||
    answer.headers['x-service-stale'] === 'true'
  )
    return [];
  return writes
    .filter((write) => (write.answeredAt ?? Infinity) < read.sentAt)
    .filter((write) => concerns(write, read) && !wasPostgresDown(evidence, write.sentAt, answeredAt))
    .filter((write) => !shows(write, read))
    .map((write) => ({
      what: `a ${read.action} does not show a ${write.action} before it`,
      requests: [write.id, read.id],
    }));
}

export const wasPostgresDown = ({ faults }: Evidence, from: number, to: number): boolean =>
  faults.some((fault) => fault.name.includes('postgres') && fault.from <= to && fault.to >= from);

/**
 * Earlier writes about the session that is read. A list has the newest sessions, so older ones may have left the page.
 */
function concerns({ action, answer, target }: Exchange, read: Exchange): boolean {
  if (answer.kind !== 'done' || read.action !== 'get') return false;
  if (action === 'destroy') return idIn(target) === idIn(read.target);
  return action === 'create' && answer.text.includes(idIn(read.target));
}

function shows(write: Exchange, { answer }: Exchange): boolean {
  if (answer.kind !== 'done') return false;
  return write.action !== 'destroy' || /"status":"(destroyed|errored)"/.test(answer.text);
}

const idIn = (target: string): string => /ses_[0-9a-f-]{36}/.exec(target)?.[0] ?? 'none';
