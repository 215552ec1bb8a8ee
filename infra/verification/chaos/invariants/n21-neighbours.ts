import type { Evidence } from '../evidence/index.ts';
import { keyOf, type Exchange } from '../history.ts';
import type { Invariant, Violation } from './invariant.ts';

/** Name prefix of programs that visit ordinary pages beside those that visit hostile ones. */
export const neighbour = 'neighbour of hostile pages';

/** Milliseconds after a fault until everything it broke has recovered, leases included. */
const RECOVERED_AFTER_MS = 10_000;

export const neighboursNoticeNothing: Invariant = {
  id: 'N21',
  holds:
    'Whatever pages do, no session of an account that visits none of them ends, and all that it asks is done.',
  judged:
    'the answers to such accounts, but for those of sessions that lived through an injected fault since their last good answer',
  violations: (evidence) => {
    const asked = evidence.history.filter(({ actor }) => actor.startsWith(neighbour));
    return asked.flatMap((exchange, index) => unanswered(evidence, exchange, asked.slice(0, index)));
  },
};

function unanswered(evidence: Evidence, exchange: Exchange, before: readonly Exchange[]): Violation[] {
  const { action, answer, actor, id, answeredAt = Infinity } = exchange;
  const isAbout = action === 'create' || action === 'operate';
  if (!isAbout || answer.kind === 'done' || answer.status === 429) return [];
  if (faultBetween(evidence, lastGood(exchange, before), answeredAt)) return [];
  return [
    {
      what: `${action} of ${actor} was answered ${answer.status ?? 'nothing'}: ${answer.text}`,
      requests: [id],
    },
  ];
}

/** Time at which the session last worked, or else at which this was sent for the first time. */
function lastGood(exchange: Exchange, before: readonly Exchange[]): number {
  const { target, account } = exchange;
  const session = /ses_[0-9a-f-]{36}/.exec(target)?.[0];
  if (session === undefined) return firstSent(exchange, before);
  const good = before.findLast(
    (each) =>
      each.account === account &&
      each.answer.kind === 'done' &&
      (each.target.includes(session) || each.answer.text.includes(session)),
  );
  return good?.sentAt ?? exchange.sentAt;
}

/** A call of unknown outcome is repeated under its key. The repetition is answered at once with the outcome. */
function firstSent(exchange: Exchange, before: readonly Exchange[]): number {
  const key = keyOf(exchange);
  const isSame = (each: Exchange) => each.account === exchange.account && keyOf(each) === key;
  const first = key === undefined ? undefined : before.find(isSame);
  return first?.sentAt ?? exchange.sentAt;
}

const faultBetween = ({ faults }: Evidence, from: number, to: number): boolean =>
  faults.some((fault) => fault.from <= to && fault.to + RECOVERED_AFTER_MS >= from);
