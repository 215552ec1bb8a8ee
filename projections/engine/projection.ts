import { categories } from '../../contracts/events/index.ts';
import type pg from 'pg';
import type { AccountId } from '../../contracts/ids.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import type { PastSchema, Schema, Table } from './table.ts';

/** Maintains one table of the read side: the runtime passes it a batch's events and has it write the result. */
export interface Projection {
  readonly name: string;
  readonly table: Table;
  /** Stream categories it reads, and the event types in them that it handles. */
  readonly categories: readonly string[];
  readonly types: ReadonlySet<string>;
  /** Restricts it to one account's events; default: all accounts. */
  readonly owner?: AccountId;
  /** Whether its rows concern more accounts than the event's own: the past of one account then has those of all. */
  readonly concernsOthers?: boolean;
  /** Completes the table of a past, once it has all its rows and indexes. */
  readonly completePast?: (client: pg.ClientBase, schema: PastSchema) => Promise<void>;
  /** The row of the event: after an event that cannot be applied, later events of the row are parked too. */
  rowOf(event: RecordedEvent): string;
  /** Loads the rows needed to fold these events. */
  open(client: pg.ClientBase, schema: Schema, events: readonly RecordedEvent[]): Promise<Fold>;
}

/** One batch in memory. */
export interface Fold {
  /** Throws if the event cannot be applied; the fold is then unchanged. */
  apply(event: RecordedEvent): void;
  /** Writes every changed row. */
  write(): Promise<void>;
}

/** For projections of all events of the service. */
export const allEvents: Pick<Projection, 'categories' | 'types'> = {
  categories: Object.keys(categories),
  types: new Set(Object.values(categories).flatMap(({ types }) => Object.keys(types))),
};

/** Prefixes of the streams that it reads. */
export const prefixesOf = ({ categories }: Projection): string[] => categories.map((name) => `${name}-`);
