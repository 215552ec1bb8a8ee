import { createCursors } from '../../../read-api/engine/cursors.ts';
import {
  benchCursorKey,
  filledAccount,
  filledAt,
  filledSession,
  type Filled,
  type Reader,
} from './read-side.ts';

/** One request to the read API. */
export interface Request {
  readonly path: string;
  readonly reader: Reader;
}

/** The `index`th request to a table. The index alone determines which rows it reads. */
export type Ask<Table = Filled> = (table: Table, index: number) => Request;

const readerOf = ({ readers }: Filled, index: number): Reader =>
  readers[index % readers.length] ?? readers[0];

/** Numbers from 0 to below `limit`, evenly distributed for any count: multiples of the golden ratio. */
export const scattered = (index: number, limit: number): number =>
  Math.floor(((index * 0.618033988749895) % 1) * limit);

/** The number of the account's `place`th session, oldest first. */
const sessionOf = ({ accounts }: Filled, { account }: Reader, place: number): number =>
  account + place * accounts;

export const askForOne: Ask = (table, index) => {
  const reader = readerOf(table, index);
  const place = scattered(index, table.sessions / table.accounts);
  return { path: `/v1/sessions/${filledSession(sessionOf(table, reader, place))}`, reader };
};

const cursors = createCursors([Buffer.from(benchCursorKey)]);

/** A full page at any position of the account's list, as cursors would reach it. */
export const askForPage =
  (limit: number): Ask =>
  (table, index) => {
    const reader = readerOf(table, index);
    const older = table.sessions / table.accounts - limit;
    const session = sessionOf(table, reader, limit + scattered(index, older));
    const keyset = [filledAt(session), filledSession(session)];
    const cursor = cursors.encode('sessions.list', filledAccount(reader.account), keyset);
    return { path: `/v1/sessions?limit=${limit}&cursor=${cursor}`, reader };
  };

/** A page that is full even if the account has a single session. */
export const askForNewest: Ask = (table, index) => ({
  path: '/v1/sessions?limit=1',
  reader: readerOf(table, index),
});
