import { field, grouped, type LogEvent, type Row } from '../evidence/index.ts';
import type { Invariant } from './invariant.ts';
import { entriesOfChanges } from './n7-audit.ts';

/** Milliseconds. */
const signedWithin = 600_000;

export const changesAreSigned: Invariant = {
  id: 'N25',
  holds: 'Every acknowledged change is in a signed tree within ten minutes.',
  judged:
    'the raw audit table by request id, against the notes in the log and the times at which the store took change and note',
  violations: ({ history, log, tables }) => {
    const notes = grouped(
      log.filter(({ type }) => type === 'AuditHeadSigned'),
      (event) => field(event, 'accountId'),
    );
    const changed = new Map(log.map(({ requestId, created }) => [requestId, created]));
    return entriesOfChanges({ history, tables }).flatMap(({ change, entries: [entry] }) => {
      if (entry === undefined) return [];
      const note = notes.get(String(entry.account_id))?.find((each) => covers(each, entry));
      const lag = (note?.created ?? Infinity) - (changed.get(change.id) ?? Infinity);
      if (note !== undefined && lag <= signedWithin) return [];
      const when = note === undefined ? 'not' : `${lag} ms after it`;
      return [
        { what: `an acknowledged ${change.action} is in a signed tree ${when}`, requests: [change.id] },
      ];
    });
  },
};

const covers = ({ data }: LogEvent, { sequence }: Row): boolean => Number(data.size) >= Number(sequence);
