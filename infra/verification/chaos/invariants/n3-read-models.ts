import { byStream, sessionIdOf } from '../evidence/index.ts';
import type { Invariant } from './invariant.ts';
import { isShown, lifeOf } from './session-life.ts';

export const readModelsAreFolds: Invariant = {
  id: 'N3',
  holds: 'Every read model equals a fold of the log from zero, and nothing is parked.',
  judged:
    'row hashes of each live table against a rebuild beside it; the raw session rows against the harness’s own fold; the tables of parked events and reactions',
  violations: ({ rebuilds, tables, log }) => {
    const rows = new Map(tables.sessions.map((row) => [String(row.id), String(row.status)]));
    const lives = [...byStream(log, 'session')]
      .map(([stream, events]) => ({ stream, says: lifeOf(events).status }))
      .filter(({ says }) => isShown(says));
    const parked = [...tables.parkedEvents, ...tables.parkedReactions];
    return [
      ...rebuilds
        .filter(({ matches }) => !matches)
        .map(({ projection, detail }) => ({ what: `${projection} is not what the log says: ${detail}` })),
      ...lives
        .map(({ stream, says }) => ({ stream, says, is: rows.get(sessionIdOf(stream)) }))
        .filter(({ is, says }) => is !== says)
        .map(({ stream, is, says }) => ({
          what: `the row says ${is ?? 'nothing'}, the log ${says}`,
          stream,
        })),
      ...(rows.size > lives.length
        ? [{ what: `there are ${rows.size} session rows and ${lives.length} sessions in the log` }]
        : []),
      ...parked.map((row) => ({ what: `an event is parked: ${JSON.stringify(row)}` })),
    ];
  },
};
