import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import type { TurnSettings } from '../commands/agent-session/turn/index.ts';
import { systemClock, type Clock } from '../infra/platform/clock.ts';
import type { Config } from '../infra/config/index.ts';
import type { EventStore, RecordedEvent } from '../infra/event-store/client/index.ts';
import { memoryBlobs } from '../infra/blobs/testing/memory.ts';
import { createFleet } from '../infra/fleet/control-plane/client.ts';
import type { Driver } from '../infra/fleet/node/driver.ts';
import { startNode, type NodeOptions } from '../infra/fleet/node/index.ts';
import { fleetMigrations } from '../infra/fleet/control-plane/registry.ts';
import { createSimulatedDriver, type SimulatedDriverOptions } from '../infra/fleet/simulated/index.ts';
import { caller } from '../infra/http/testing.ts';
import { listen } from '../infra/http/index.ts';
import { openKeys } from '../infra/main/composition/ports.ts';
import { composeWriteApi } from '../infra/main/composition/write-api.ts';
import { openWritePorts, type WritePorts } from '../infra/main/composition/write-ports.ts';
import { createLifetime } from '../infra/main/lifetime.ts';
import { createMetrics } from '../infra/metrics/index.ts';
import { createOutboundGuard } from '../infra/outbound/guard.ts';
import type { AccountPositions } from '../infra/ephemeral/index.ts';
import { connectPostgres, postgresMigrations } from '../infra/postgres/index.ts';
import { createPasswords } from '../infra/passwords/index.ts';
import { createProfileStates } from '../infra/profile-states/index.ts';
import { freshDatabase, startEventLog, tempDir } from '../infra/verification/testbed/index.ts';
import { sealedStore } from '../infra/personal/sealed-store.ts';
import { vaultMigrations } from '../infra/vault/index.ts';
import { errorsBase, peppers, testConfig } from './testing/config.ts';
import { outboundOf, type OutboundOptions } from './testing/outbound.ts';
import { staffOf } from './testing/staff.ts';

export { errorsBase, peppers };

const logger = pino({ level: 'silent' });

export interface WriteSideOptions
  extends OutboundOptions, Partial<Pick<WritePorts, 'heartbeats' | 'payments' | 'processor'>> {
  readonly config?: Partial<Config>;
  readonly turnSettings?: Partial<TurnSettings>;
  readonly clock?: Clock;
  /** Options of the simulated browsers, unless others are given. */
  readonly driver?: Pick<SimulatedDriverOptions, 'waits'>;
  /** The node's browsers, instead of simulated ones; closed with the node. */
  readonly browsers?: Driver;
  readonly nodePort?: number;
  /** The node's registration of video. */
  readonly video?: NodeOptions['video'];
  readonly operationGraceMs?: number;
  readonly capacity?: number;
  readonly enforceRates?: boolean;
  /** Time limit of the store before a request fails as unavailable. */
  readonly storeDeadlineMs?: number;
  /** Wraps the API's store, to count or to delay. */
  readonly throughStore?: (store: EventStore) => EventStore;
  /** Wraps the API's recording of positions. */
  readonly throughPositions?: (positions: AccountPositions) => AccountPositions;
}

/** A clock, shared by all parts, that can be moved. */
export function movableClock() {
  let offset = 0;
  return {
    now: () => new Date(Date.now() + offset),
    advance: (milliseconds: number) => void (offset += milliseconds),
  };
}

/** A clock that advances only on request. */
export function fixedClock() {
  let time = Date.now();
  return { now: () => new Date(time), advance: (milliseconds: number) => void (time += milliseconds) };
}

/** The write side as deployed, in this process: event store, Postgres and a node, all on real sockets. */
export async function startWriteSide(options: WriteSideOptions = {}) {
  const stores = await startStores(options.storeDeadlineMs ?? 10_000);
  const lifetime = createLifetime(logger);
  const ports = await openTestPorts(options, stores, lifetime);
  const { vault, tokens, fleet, config } = ports;
  /** A write-api; several on one log behave like several processes, with separate caches. */
  const serve = () => serveWriteApi(ports);
  const first = await serve();
  const { node, driverLines } = await joinNode(first.port, options);
  const store = sealedStore(stores.store, vault);

  return {
    ...stores,
    ...first,
    ...{ serve, vault, tokens, fleet, config, ports, node },
    staff: staffOf({ ...ports, store }),
    driverLog: driverLines,
    ...eventsIn(store),
    async close() {
      await node.drain(500);
      await first.close();
      await lifetime.close();
      await stores.close();
    },
  };
}

type TestStores = Awaited<ReturnType<typeof startStores>>;

/** Ports of a deployment, with stand-ins for external systems. */
async function openTestPorts(
  options: WriteSideOptions,
  { store, blobs, databaseUrl, ...postgres }: TestStores,
  lifetime: ReturnType<typeof createLifetime>,
) {
  const { clock = systemClock, heartbeats, payments, processor } = options;
  const { throughStore = (same) => same, throughPositions = (same) => same } = options;
  const config = testConfig({
    POSTGRES_URL: databaseUrl,
    ...(options.enforceRates && { RATE_LIMITS: 'on' }),
    ...options.config,
  });
  const context = { name: 'test', config, clock, logger, lifetime, metrics: createMetrics('test') };
  const keys = await openKeys({ ...context, ...postgres, record: throughStore(store) });
  const opened = await openWritePorts(keys);
  // Without the test's clock: nodes send heartbeats by the machine's clock.
  const fleet = createFleet(opened);
  lifetime.defer('fleet', () => fleet.close());
  return {
    ...{ ...opened, fleet, blobs, ...outboundOf(options) },
    ...(heartbeats && { heartbeats }),
    ...{ payments, processor, positions: throughPositions(opened.positions) },
    states: createProfileStates({ blobs, vault: opened.vault }),
    passwords: createPasswords({ queue: 1000 }),
    turnSettings: { ...opened.turnSettings, ...options.turnSettings },
  };
}

const eventsIn = (store: EventStore) => ({
  events: async (stream: string) => collect(store.readStream(stream)),
  allEvents: async () => collect(store.readAll()),
});

async function startStores(deadlineMs: number) {
  const database = await freshDatabase([...postgresMigrations, ...vaultMigrations, ...fleetMigrations]);
  const postgres = connectPostgres({ url: database.url, logger });
  const log = await startEventLog();
  const store = log.connect({
    logger,
    appendDeadlineMs: deadlineMs,
    readDeadlineMs: deadlineMs,
  });
  return {
    store,
    postgres,
    pool: postgres.pool,
    blobs: memoryBlobs(),
    databaseUrl: database.url,
    storeFiles: () => log.dataDir(),
    stopStore: () => log.stop(),
    startStore: () => log.start(),
    async close() {
      await store.close();
      await log.close();
      await postgres.close();
      await database.drop();
    },
  };
}

async function joinNode(controlPlanePort: number, options: WriteSideOptions) {
  const { driver, browsers, operationGraceMs, capacity = 64, nodePort = 0, video } = options;
  const driverLog = join(tempDir('node'), 'driver.log');
  const node = await startNode({
    name: 'node',
    dataDir: tempDir('node'),
    driver: browsers ?? createSimulatedDriver({ guard: createOutboundGuard(), ...driver }),
    port: nodePort,
    capacity,
    ...(operationGraceMs !== undefined && { operationGraceMs }),
    ...(video && { video }),
    controlPlaneUrl: `http://127.0.0.1:${controlPlanePort}`,
    joinToken: 'join-me',
    logger,
    driverLog,
    registerRetryMs: 20,
  });
  await node.registered;
  const driverLines = () => readFileSync(driverLog, 'utf8').split('\n').filter(Boolean).map(parseLine);
  return { node, driverLines };
}

async function serveWriteApi(ports: WritePorts) {
  const api = composeWriteApi(ports, { checkReplies: true });
  const { port, close } = await listen(api.app, 0, { upgrade: api.upgrade });
  return { port, call: caller(port), close: () => close().then(api.close) };
}

export type WriteSide = Awaited<ReturnType<typeof startWriteSide>>;

interface DriverLine {
  readonly action: string;
  readonly session_id: string;
  readonly dispatch_id?: string;
  readonly operation?: string;
}
const parseLine = (line: string) => JSON.parse(line) as DriverLine;

async function collect(source: AsyncIterable<RecordedEvent>): Promise<RecordedEvent[]> {
  const all: RecordedEvent[] = [];
  for await (const event of source) all.push(event);
  return all;
}
