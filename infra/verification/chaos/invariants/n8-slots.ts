import { tierLimits, type Tier } from '../../../../contracts/tiers.ts';
import { byStream, field, type LogEvent } from '../evidence/index.ts';
import type { Invariant, Violation } from './invariant.ts';
import { isLive, lifeOf } from './session-life.ts';

export const slotsAreSessions: Invariant = {
  id: 'N8',
  holds: 'The slots in use are the sessions that have not ended, and never more than the tier allows.',
  judged: 'the raw slot streams against the raw session streams',
  violations: ({ log }) => {
    const live = [...byStream(log, 'session')].filter(([, events]) => isLive(lifeOf(events).status));
    const wanted = new Set(live.map(([stream]) => stream.slice('session-'.length)));
    const created = log.filter(({ type }) => type === 'AccountCreated');
    const tiers = new Map(created.map((event) => [field(event, 'accountId'), field(event, 'tier') as Tier]));
    const streams = [...byStream(log, 'account_slots')].map(([stream, events]) =>
      replay(stream, events, tiers),
    );
    const held = new Set(streams.flatMap((each) => [...each.held]));
    return [
      ...streams.flatMap(({ violations }) => violations),
      ...[...wanted]
        .filter((id) => !held.has(id))
        .map((id) => ({ what: 'it lives without a slot', stream: `session-${id}` })),
      ...[...held]
        .filter((id) => !wanted.has(id))
        .map((id) => ({ what: 'it has a slot but does not live', stream: `session-${id}` })),
    ];
  },
};

function replay(stream: string, events: readonly LogEvent[], tiers: ReadonlyMap<string, Tier>) {
  const held = new Set<string>();
  const violations: Violation[] = [];
  for (const event of events) {
    const session = field(event, 'sessionId').slice('ses_'.length);
    if (event.type === 'SlotReserved') held.add(session);
    if (event.type === 'SlotReleased' && !held.delete(session))
      violations.push({ what: `a slot that ${session} did not hold was released`, stream });
    const limit = tierLimits[tiers.get(field(event, 'accountId')) ?? 'free'].concurrentSessions;
    if (held.size > limit) violations.push({ what: `${held.size} slots are held of ${limit}`, stream });
  }
  return { held, violations };
}
