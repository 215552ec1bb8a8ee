import { categories } from '../../contracts/events/index.ts';
import type pg from 'pg';
import type { AccountId } from '../../contracts/ids.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import type { Schema, Table } from './table.ts';

/** Maintains one table of the read side: the runtime passes it the events of a batch and has it write the result. */
export interface Projection {
  readonly name: string;
  readonly table: Table;
  /** Stream categories it reads, and the event types in them that it handles. */
  readonly categories: readonly string[];
  readonly types: ReadonlySet<string>;
  /** The only account whose events it handles; default every account. */
  readonly owner?: AccountId;
  /** The row of the event: when one cannot be applied, later events of the row wait behind it. */
  rowOf(event: RecordedEvent): string;
  /** Loads the rows that folding these events needs. */
  open(client: pg.ClientBase, schema: Schema, events: readonly RecordedEvent[]): Promise<Fold>;
}

/** One batch in memory. */
export interface Fold {
  /** Throws when the event cannot be applied; the fold is then as it was before. */
  apply(event: RecordedEvent): void;
  /** Writes every row the batch touched. */
  write(): Promise<void>;
}

/** What a projection of all events of the service handles. */
export const allEvents: Pick<Projection, 'categories' | 'types'> = {
  categories: Object.keys(categories),
  types: new Set(Object.values(categories).flatMap(({ types }) => Object.keys(types))),
};

/** Of the streams it reads. */
export const prefixesOf = ({ categories }: Projection): string[] => categories.map((name) => `${name}-`);
