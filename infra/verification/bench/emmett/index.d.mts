import type { EventStoreDBClient } from '@eventstore/db-client';

/** The used part of Emmett's own declarations, which are not there until it is installed. */
export interface EmmettEvent<Data = unknown> {
  readonly type: string;
  readonly data: Data;
  readonly metadata?: unknown;
}

export interface EmmettEventStore {
  appendToStream(stream: string, events: EmmettEvent[]): Promise<unknown>;
}

export function CommandHandler<State>(options: {
  evolve: (state: State, event: EmmettEvent) => State;
  initialState: () => State;
}): (
  store: EmmettEventStore,
  stream: string,
  handle: (state: State) => EmmettEvent | EmmettEvent[],
) => Promise<unknown>;

export function getEventStoreDBEventStore(client: EventStoreDBClient): EmmettEventStore;

export interface EmmettPostgres extends EmmettEventStore {
  readonly schema: { migrate(): Promise<unknown> };
  close(): Promise<void>;
}
export function getPostgreSQLEventStore(connectionString: string): EmmettPostgres;

export interface Projection {
  readonly name?: string;
}
export function pongoSingleStreamProjection<Data, Document>(options: {
  collectionName: string;
  canHandle: string[];
  getDocumentId: (event: EmmettEvent<Data>) => string;
  evolve: (document: Document | null, event: EmmettEvent<Data>) => Document;
}): Projection;

export function rebuildPostgreSQLProjections(options: {
  connectionString: string;
  projections: { projection: Projection; processorId: string; truncateOnStart: boolean }[];
  /** Events of a batch, and milliseconds between two. */
  pulling: { batchSize: number; pullingFrequencyInMs: number };
}): { start(): Promise<void>; close(): Promise<void> };
