import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { pino } from 'pino';
import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import type { EventMetadata } from '../../contracts/events/metadata.ts';
import { toId, uuidOf, type AccountId, type ApiKeyId, type SessionId } from '../../contracts/ids.ts';
import { systemClock } from '../../infra/platform/clock.ts';
import type { EventStore, Position, RecordedEvent } from '../../infra/event-store/client/index.ts';
import { connectPostgres, migrate, postgresMigrations, type Postgres } from '../../infra/postgres/index.ts';
import { vaultMigrations } from '../../infra/vault/index.ts';
import { freshDatabase, startEventLog, until } from '../../infra/verification/testbed/index.ts';
import { compare } from '../../infra/event-store/client/position.ts';
import { projectionMigrations, startProjector, type Projector, type ProjectorOptions } from '../index.ts';
import { live, readCheckpoint } from '../engine/checkpoint.ts';

export const logger = pino({ level: 'silent' });

export interface ReadSide {
  readonly store: EventStore;
  readonly storeUrl: string;
  readonly postgres: Postgres;
  readonly url: string;
  project(options?: Partial<ProjectorOptions>): Projector;
  append(
    stream: string,
    events: readonly DomainEvent[],
    metadata?: Partial<EventMetadata>,
  ): Promise<Position>;
  /** Resolves once the live checkpoint has passed the position (default: the end of the log). */
  caughtUp(position?: Position): Promise<void>;
  rows(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

type Prepare = (stores: { readonly store: EventStore; readonly pool: pg.Pool }) => Promise<void>;

const migrations = [...postgresMigrations, ...projectionMigrations, ...vaultMigrations];

/** A real event store and a real Postgres, both empty, or prepared by `prepare` before the migrations. */
export async function startReadSide(prepare?: Prepare): Promise<ReadSide> {
  const database = await freshDatabase(prepare === undefined ? migrations : []);
  const log = await startEventLog();
  const store = log.connect({ logger });
  const postgres = connectPostgres({ url: database.url, logger });
  const { pool } = postgres;
  await prepare?.({ store, pool });
  await migrate(pool, migrations);
  const projectors: Projector[] = [];
  return {
    store,
    storeUrl: log.url,
    postgres,
    url: database.url,
    rows: async (sql, values = []) => (await pool.query<Record<string, unknown>>(sql, values)).rows,
    project(options = {}) {
      const projector = startProjector({ store, pool, logger, clock: systemClock, ...options });
      projectors.push(projector);
      return projector;
    },
    async append(stream, events, metadata = {}) {
      const about = { metadata: { ...someMetadata(), ...metadata } };
      const toAppend = events.map((event) => ({ ...event, id: randomUUID(), ...about }));
      return (await store.append(stream, 'any', toAppend)).position;
    },
    async caughtUp(position) {
      const wanted = position ?? (await store.head());
      if (wanted === undefined) return;
      await until(async () => compare(await readCheckpoint(pool, live), wanted) >= 0);
    },
    async close() {
      await Promise.all(projectors.map((each) => each.close()));
      await store.close();
      await postgres.close();
      await log.close();
      await database.drop();
    },
  };
}

export const at = '2026-01-02T03:04:05.678Z';

const someMetadata = (): EventMetadata => ({
  correlation_id: 'correlation',
  causation_id: 'request',
  actor: { kind: 'system', account_id: null },
  occurred_at: at,
  schema_version: 1,
  request_id: 'req_test0001',
});

export const anAccount = (): AccountId => toId('account', randomUUID());
export const aSession = (): SessionId => toId('session', randomUUID());
export const aKey = (): ApiKeyId => toId('apiKey', randomUUID());
export const sessionStream = (id: SessionId): string => `session-${uuidOf(id)}`;

/** A recorded event, the first of its stream. */
export const recorded = (
  stream: string,
  { type, data }: DomainEvent,
  metadata: Partial<EventMetadata> = {},
): RecordedEvent => ({
  id: randomUUID(),
  stream,
  category: stream.slice(0, stream.indexOf('-')),
  type,
  data,
  revision: 0n,
  position: { commit: 1n, prepare: 1n },
  metadata: { ...someMetadata(), ...metadata },
  created: new Date(at),
});

/** Metadata of an event caused by the account with an API key. */
export const by = (accountId: AccountId, keyId?: ApiKeyId): Partial<EventMetadata> => ({
  actor: { kind: 'api_key', account_id: accountId, ...(keyId && { actor_key_id: keyId }) },
  ip: '127.0.0.1',
  user_agent: 'test',
});

/** The complete metadata. */
export const metadataBy = (accountId: AccountId): EventMetadata => ({ ...someMetadata(), ...by(accountId) });

export const requested = (
  sessionId: SessionId,
  accountId: AccountId,
  changes: Record<string, unknown> = {},
): DomainEvent => ({
  type: 'SessionRequested',
  data: {
    sessionId,
    accountId,
    archetype: 'iphone-16',
    label: 'a label',
    metadata: { team: 'blue' },
    tier: 'team',
    nodeId: null,
    dispatchId: 'd1',
    leaseExpiresAt: '2026-01-02T03:05:05.000Z',
    expiresAt: null,
    at,
    ...changes,
  },
});
export const ready = (sessionId: SessionId): DomainEvent => ({
  type: 'SessionReady',
  data: { sessionId, at },
});
export const destroyed = (sessionId: SessionId): DomainEvent => ({
  type: 'SessionDestroyed',
  data: { sessionId, cause: 'customer', durationMs: 5, at },
});
