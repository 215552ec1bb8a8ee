import { byStream, sessionIdOf } from '../evidence/index.ts';
import type { Invariant } from './invariant.ts';
import { lifeOf } from './session-life.ts';

export const readModelsAreFolds: Invariant = {
  id: 'N3',
  holds: 'Every read model equals a fold of the log from zero, and nothing is parked.',
  judged:
    'row hashes of each live table against a rebuild beside it; the raw session rows against the harness’s own fold; the tables of parked events and reactions',
  violations: ({ rebuilds, tables, log }) => {
    const rows = new Map(tables.sessions.map((row) => [String(row.id), String(row.status)]));
    const streams = [...byStream(log, 'session')];
    const parked = [...tables.parkedEvents, ...tables.parkedReactions];
    return [
      ...rebuilds
        .filter(({ matches }) => !matches)
        .map(({ projection, detail }) => ({ what: `${projection} is not what the log says: ${detail}` })),
      ...streams
        .map(([stream, events]) => ({
          stream,
          is: rows.get(sessionIdOf(stream)),
          says: lifeOf(events).status,
        }))
        .filter(({ is, says }) => is !== says)
        .map(({ stream, is, says }) => ({
          what: `the row says ${is ?? 'nothing'}, the log ${says}`,
          stream,
        })),
      ...(rows.size > streams.length
        ? [{ what: `there are ${rows.size} session rows and ${streams.length} sessions in the log` }]
        : []),
      ...parked.map((row) => ({ what: `an event is parked: ${JSON.stringify(row)}` })),
    ];
  },
};
