import type pg from 'pg';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import type { Schema, Table } from './table.ts';

/** What keeps one table of the read side: the runtime feeds it the events of a batch and has it write the result. */
export interface Projection {
  readonly name: string;
  readonly table: Table;
  /** Stream categories it reads, and the event types in them that it has use for. */
  readonly categories: readonly string[];
  readonly types: ReadonlySet<string>;
  /** What the event belongs to: when one cannot be applied, the later ones of the same row wait behind it. */
  rowOf(event: RecordedEvent): string;
  /** Loads what folding these events needs. */
  open(client: pg.ClientBase, schema: Schema, events: readonly RecordedEvent[]): Promise<Fold>;
}

/** One batch in memory. */
export interface Fold {
  /** Throws when the event cannot be applied; the fold is then as it was before. */
  apply(event: RecordedEvent): void;
  /** Writes every row the batch touched. */
  write(): Promise<void>;
}

/** Of the streams it reads. */
export const prefixesOf = ({ categories }: Projection): string[] => categories.map((name) => `${name}-`);
