import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import {
  defaultTurnSettings,
  type TurnOptions,
  type TurnSettings,
} from '../commands/agent-session/turn/index.ts';
import { defaultAgentSettings, type AgentSettings } from '../commands/agent-session/index.ts';
import { defaultRetentionMs } from '../commands/profile/index.ts';
import { defaultSessionLimits, type SessionLimits } from '../commands/session/index.ts';
import { archetypeCatalogue } from '../contracts/archetypes.ts';
import { systemClock, type Clock } from '../infra/platform/clock.ts';
import type { EventStore, RecordedEvent } from '../infra/event-store/client/index.ts';
import type { BlobStore } from '../infra/blobs/types.ts';
import { memoryBlobs } from '../infra/blobs/testing/memory.ts';
import { createFleet } from '../infra/fleet/control-plane/client.ts';
import type { Driver } from '../infra/fleet/node/driver.ts';
import { startNode, type NodeOptions } from '../infra/fleet/node/index.ts';
import { createNodeRegistry, fleetMigrations } from '../infra/fleet/control-plane/registry.ts';
import { createNodeVideos } from '../infra/fleet/control-plane/video.ts';
import { createSimulatedDriver, type SimulatedDriverOptions } from '../infra/fleet/simulated/index.ts';
import { caller } from '../infra/http/testing.ts';
import { listen } from '../infra/http/index.ts';
import { grammar } from '../infra/model/grammar/grammar.ts';
import { createOutboundGuard } from '../infra/outbound/guard.ts';
import {
  createAccountPositions,
  createKeyUses,
  createHeartbeats,
  type AccountPositions,
} from '../infra/ephemeral/index.ts';
import { connectPostgres, migrate, postgresMigrations, type Postgres } from '../infra/postgres/index.ts';
import { newNoiseSeed } from '../infra/keys/noise-seed.ts';
import { createProfileStates } from '../infra/profile-states/index.ts';
import { createRateLimits } from '../infra/rate-limits/index.ts';
import { freshDatabase, startEventLog, tempDir } from '../infra/verification/testbed/index.ts';
import { sealedStore } from '../infra/personal/sealed-store.ts';
import { createVault, vaultMigrations, type Vault } from '../infra/vault/index.ts';
import { createWriteApi, type WriteApiOptions } from './index.ts';
import { outboundOf, type OutboundOptions } from './testing/outbound.ts';
import { nothingSold } from './testing/nothing-sold.ts';
import { defaultSignIn } from './testing/sign-in.ts';
import { accessTokensIn, graceMs, masterKeys, peppers, staffOf } from './testing/staff.ts';

export { peppers };

export const errorsBase = 'https://errors.example';
const logger = pino({ level: 'silent' });

export interface WriteSideOptions extends OutboundOptions {
  readonly signIn?: Partial<typeof defaultSignIn>;
  /** Without a model, asking one fails. */
  readonly turns?: Partial<Pick<TurnOptions, 'grammar' | 'model'>> & {
    readonly settings?: Partial<TurnSettings>;
  };
  readonly agents?: Partial<Omit<WriteApiOptions['agents'], 'settings'>> & {
    readonly settings?: Partial<AgentSettings>;
  };
  /** By default nothing can be paid with crypto. */
  readonly orders?: WriteApiOptions['orders'];
  readonly clock?: Clock;
  /** Of the simulated browsers, where there are no others. */
  readonly driver?: Pick<SimulatedDriverOptions, 'waits'>;
  /** The node's browsers, instead of simulated ones; closed with the node. */
  readonly browsers?: Driver;
  readonly nodePort?: number;
  /** What the node registers to show its browsers by. */
  readonly video?: NodeOptions['video'];
  readonly operationGraceMs?: number;
  readonly capacity?: number;
  readonly enforceRates?: boolean;
  readonly keyCacheMs?: number;
  readonly limits?: Partial<SessionLimits>;
  /** How long the store may take to answer before a request is told that it is away. */
  readonly storeDeadlineMs?: number;
  /** Stands between the API and its store, to count or to delay. */
  readonly throughStore?: (store: EventStore) => EventStore;
  /** Stands between the API and the recording of its accounts' positions. */
  readonly throughPositions?: (positions: AccountPositions) => AccountPositions;
}

/** A move of the clock that every part sees. */
export function movableClock() {
  let offset = 0;
  return {
    now: () => new Date(Date.now() + offset),
    advance: (milliseconds: number) => void (offset += milliseconds),
  };
}

/** One that stands still until it is moved. */
export function fixedClock() {
  let time = Date.now();
  return { now: () => new Date(time), advance: (milliseconds: number) => void (time += milliseconds) };
}

/** The write side as it is deployed, in this process: event store, Postgres, a node, all on real sockets. */
export async function startWriteSide(options: WriteSideOptions = {}) {
  const { clock = systemClock } = options;
  const stores = await startStores(options.storeDeadlineMs ?? 10_000);
  const { store, pool, blobs } = stores;
  const registry = createNodeRegistry({ pool, sealingKeys: [randomBytes(32)] });
  const fleet = createFleet({ registry, clock: systemClock, logger });
  const vault = createVault({ pool, masterKeys });
  const tokens = accessTokensIn(pool, clock);
  const signIn = { ...defaultSignIn, ...options.signIn, vault, tokens };
  /** One write-api; several on one log are several processes as far as what each believes goes. */
  const serve = () =>
    serveWriteApi({
      store: sealedStore(options.throughStore?.(store) ?? store, vault),
      fleet,
      ingress: { registry, joinToken: 'join-me', heartbeatMs: 200 },
      ...recordersIn(pool, clock, vault, options),
      rateLimits: createRateLimits({ logger, enforced: options.enforceRates ?? false }),
      sessionLimits: { ...defaultSessionLimits, ...options.limits },
      ...outboundOf(options, pool, vault),
      ...profilesOf(blobs, vault),
      ...{ turns: turnsOf(options), agents: agentsOf(options, pool, vault, clock) },
      ...peopleOf(signIn),
      ...{ keyCacheMs: options.keyCacheMs ?? 60_000, clock, orders: options.orders ?? nothingSold },
    });
  const first = await serve();
  const { node, driverLines } = await joinNode(first.port, options);

  return {
    ...stores,
    ...first,
    ...{ serve, vault, tokens, fleet },
    staff: staffOf(sealedStore(store, vault), clock, signIn),
    driverLog: driverLines,
    ...eventsIn(sealedStore(store, vault)),
    async close() {
      await node.drain(500);
      await first.close();
      await fleet.close();
      await stores.close();
    },
  };
}

const profilesOf = (blobs: BlobStore, vault: Vault) => ({
  profiles: {
    newNoiseSeed,
    retentionMs: defaultRetentionMs,
    states: createProfileStates({ blobs, vault }),
  },
  spoolDirectory: tempDir('spool'),
});

const turnsOf = ({ turns }: WriteSideOptions): WriteApiOptions['turns'] => ({
  ...{ grammar, model: noModel, ...turns },
  settings: { ...defaultTurnSettings, ...turns?.settings },
});

const noModel: TurnOptions['model'] = {
  decompose: () => Promise.reject(new Error('This test has no model.')),
  readBack: () => Promise.reject(new Error('This test has no model.')),
};

const agentsOf = (
  { agents }: WriteSideOptions,
  pool: Postgres['pool'],
  vault: Vault,
  clock: Clock,
): WriteApiOptions['agents'] => ({
  vault,
  heartbeats: createHeartbeats({ pool, clock, logger }),
  ...agents,
  settings: { ...defaultAgentSettings, ...agents?.settings },
});

const peopleOf = (signIn: WriteApiOptions['signIn']) => ({
  signIn,
  deviceFlow: { ttlMs: 600_000, verificationUri: 'https://console.example/device' },
});

const eventsIn = (store: EventStore) => ({
  events: async (stream: string) => collect(store.readStream(stream)),
  allEvents: async () => collect(store.readAll()),
});

async function startStores(deadlineMs: number) {
  const database = await freshDatabase();
  const postgres = connectPostgres({ url: database.url, logger });
  await migrate(postgres.pool, [...postgresMigrations, ...vaultMigrations, ...fleetMigrations]);
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

const recordersIn = (
  pool: Postgres['pool'],
  clock: Clock,
  vault: Vault,
  { throughPositions = (positions) => positions }: WriteSideOptions,
) => ({
  videos: createNodeVideos({ pool, vault }),
  positions: throughPositions(createAccountPositions({ pool, logger })),
  keyUses: createKeyUses({ pool, clock, logger }),
});

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

type Deployed = Omit<
  WriteApiOptions,
  'archetypes' | 'peppers' | 'keyGraceMs' | 'cacheEntries' | 'logger' | 'errorsBase'
>;

async function serveWriteApi(options: Deployed) {
  const api = createWriteApi({
    ...options,
    archetypes: archetypeCatalogue,
    peppers,
    keyGraceMs: graceMs,
    cacheEntries: 10_000,
    logger,
    errorsBase,
    checkReplies: true,
  });
  const { port, close } = await listen(api.app, 0);
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
