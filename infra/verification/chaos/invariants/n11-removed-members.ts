import { byStream, field, type Evidence, type LogEvent } from '../evidence/index.ts';
import type { Exchange } from '../history.ts';
import type { Invariant, Violation } from './invariant.ts';
import { causedIn, mayBeRead, servedIn } from './people.ts';

export const removedMembersAreOut: Invariant = {
  id: 'N11',
  holds: 'Nothing that a member sends after the removal was acknowledged is done on the owner’s account.',
  judged:
    'the clients’ history with what acts left in the log, between each acknowledged removal in the raw team streams and the request that joined again',
  violations: (evidence) => {
    const caused = causedIn(evidence.log);
    const team = byStream(evidence.log, 'team_member');
    const acts = servedIn(evidence).filter(({ action }) => action === 'act-on-owner');
    return evidence.history
      .filter(({ action, answer }) => action === 'remove-member' && answer.kind === 'done')
      .flatMap((removal) => {
        const removed = caused(removal, 'TeamMemberRemoved');
        return removed === undefined
          ? []
          : actsAfter(evidence, acts, removal, joinedAgain(evidence, team, removed), removed);
      });
  },
};

function actsAfter(
  evidence: Evidence,
  acts: readonly Exchange[],
  removal: Exchange,
  /** When the member's next successful join was requested. */
  again: number,
  removed: LogEvent,
): Violation[] {
  const { answeredAt: from = Infinity } = removal;
  const [owner, member] = [field(removed, 'ownerAccountId'), field(removed, 'accountId')];
  return acts
    .filter(({ on, account }) => on === owner && account === member)
    .filter(({ sentAt, answeredAt = Infinity }) => sentAt > from && answeredAt < again)
    .filter((act) => !mayBeRead(evidence, removal.sentAt, act))
    .map(({ id, target, sentAt }) => ({
      what: `${target} of ${member} was done, sent ${sentAt - from} ms after the removal was acknowledged`,
      requests: [removal.id, id],
      stream: removed.stream,
    }));
}

/** When the member's next successful join was requested; Infinity if there was none. */
function joinedAgain(
  { history }: Evidence,
  team: ReadonlyMap<string, readonly LogEvent[]>,
  removed: LogEvent,
): number {
  const joined = team
    .get(removed.stream)
    ?.find(({ type, position }) => type === 'TeamMemberJoined' && position > removed.position);
  return history.find(({ id }) => id === joined?.requestId)?.sentAt ?? Infinity;
}
