import { field, type Evidence } from '../evidence/index.ts';
import type { Exchange } from '../history.ts';
import type { Invariant, Violation } from './invariant.ts';
import { causedIn, mayBeRead, servedIn, type Caused } from './people.ts';

export const endedSessionsAreOut: Invariant = {
  id: 'N14',
  holds:
    'Nothing is done for a web session that is sent after the acknowledgement of the reset, or the sign-out, that ended it.',
  judged:
    'the clients’ history with what requests left in the log; which sessions a reset ended by the login epochs in the raw streams',
  violations: (evidence) => {
    const caused = causedIn(evidence.log);
    const uses = servedIn(evidence).filter(({ session }) => session !== undefined);
    const opened = new Map(evidence.history.map((exchange) => [exchange.id, exchange]));
    const done = evidence.history.filter(({ answer }) => answer.kind === 'done');
    return [
      ...done
        .filter(({ action }) => action === 'reset-password')
        .flatMap((reset) =>
          usedAfter(
            evidence,
            reset,
            uses.filter(({ session = '' }) => endedBy(caused, reset, opened.get(session))),
          ),
        ),
      ...done
        .filter(({ action }) => action === 'sign-out')
        .flatMap((end) =>
          usedAfter(
            evidence,
            end,
            uses.filter(
              ({ id, session, action }) => session === end.session && id !== end.id && action !== 'sign-out',
            ),
          ),
        ),
    ];
  },
};

/** A reset ends sessions of the same account with a lower login epoch. */
function endedBy(caused: Caused, reset: Exchange, opening: Exchange | undefined): boolean {
  const ending = caused(reset, 'PasswordReset');
  const opened = opening && caused(opening, 'WebSessionOpened');
  if (ending === undefined || opened === undefined) return false;
  const isSameAccount = field(opened, 'accountId') === field(ending, 'accountId');
  return isSameAccount && Number(opened.data.epoch) < Number(ending.data.epoch);
}

const usedAfter = (evidence: Evidence, end: Exchange, uses: readonly Exchange[]): Violation[] =>
  uses
    .filter(({ sentAt }) => sentAt > (end.answeredAt ?? Infinity))
    .filter((use) => !mayBeRead(evidence, end.sentAt, use))
    .map(({ id, target, sentAt }) => ({
      what: `${target} was done, sent ${sentAt - (end.answeredAt ?? 0)} ms after its session’s end (${end.action})`,
      requests: [end.id, id],
    }));
