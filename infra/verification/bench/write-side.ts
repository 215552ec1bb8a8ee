import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { request, type Agent } from 'undici';
import { memoryHeartbeats } from '../../../commands/agent-session/testing.ts';
import { defaultTurnSettings } from '../../../commands/agent-session/turn/index.ts';
import { toId } from '../../../contracts/ids.ts';
import { peppers, testConfig } from '../../../write-api/testing/config.ts';
import { outboundOf } from '../../../write-api/testing/outbound.ts';
import { staffOf } from '../../../write-api/testing/staff.ts';
import { memoryBlobs } from '../../blobs/testing/memory.ts';
import { createAccessTokens, type AccessTokens } from '../../credentials/access-tokens.ts';
import { systemClock } from '../../platform/clock.ts';
import { connectEventStore, type EventStore, type RecordedEvent } from '../../event-store/client/index.ts';
import type { Fleet, LiveFleet } from '../../fleet/control-plane/port.ts';
import { Tunnels } from '../../fleet/tunnel/tunnels.ts';
import { listen } from '../../http/index.ts';
import { openRunner } from '../../main/composition/stores.ts';
import { composeWriteApi } from '../../main/composition/write-api.ts';
import type { WritePorts } from '../../main/composition/write-ports.ts';
import { createPasswords, type Passwords } from '../../passwords/index.ts';
import { createProfileStates } from '../../profile-states/index.ts';
import { createRateLimits } from '../../rate-limits/index.ts';
import type { SigningKey } from '../../vault/signing-keys.ts';

const graceMs = 24 * 3_600_000;

/** A node that answers each operation after `operateMs`, and counts what reached it. */
export function instantFleet(operateMs = 0) {
  const dispatches: string[] = [];
  const node = toId('node', randomUUID());
  const result = { final_url: 'http://sim.test/', status: 200, duration_ms: 0 };
  const fleet: Fleet = {
    place: () => Promise.resolve(node),
    create: () => Promise.resolve({ outcome: 'succeeded', egress_capabilities: null }),
    operate: async (_node, session) => {
      dispatches.push(session);
      if (operateMs > 0) await new Promise((resolve) => setTimeout(resolve, operateMs));
      return { outcome: 'succeeded', result };
    },
    destroy: () => Promise.resolve(),
  };
  return { fleet, dispatches };
}

/** A registry of no nodes: the bench calls none. */
const noNodes = {
  internal: () => Promise.resolve([]),
  instances: () => Promise.resolve([]),
  heartbeat: () => Promise.resolve(undefined),
  list: () => Promise.resolve([]),
  address: () => Promise.resolve(undefined),
  forget: () => Promise.resolve(),
  listening: () => Promise.resolve(),
  present: () => Promise.resolve(),
  listeningForMs: () => Promise.resolve(0),
};

/** No encryption: ciphers, and the Postgres with their keys, are not measured. */
const clearVault = {
  seal: (_account: string, _field: string, text: string) => Promise.resolve(text),
  sealer: () => Promise.resolve((_field: string, text: string) => text),
  open: (_account: string, _field: string, sealed: string) => Promise.resolve({ text: sealed }),
  salt: (account: string) => Promise.resolve(Buffer.from(account).subarray(0, 32)),
  forget: () => Promise.resolve(),
};

/** Signs access tokens with a key that only this process has. */
function accessTokens(): AccessTokens {
  let key: SigningKey | undefined;
  const keys = {
    findOrCreate: async (make: () => Buffer) => [
      (key ??= { id: 'bench', secret: make(), createdAt: new Date(), supersededMs: null }),
    ],
    all: async () => (key === undefined ? [] : [key]),
  };
  return createAccessTokens({ keys, clock: systemClock, accessMs: graceMs });
}

/** The bench registers none. */
const noModel = () => Promise.reject(new Error('No bench asks a model.'));
const nothing = () => Promise.resolve([]);

/** Ports of people and staff, without a store. */
export const clearPorts = () => {
  const config = testConfig({ STATE_CACHE: 10_000, KEY_CACHE_TTL: 5000 });
  return {
    ...{ config, clock: systemClock, vault: clearVault, peppers, tokens: accessTokens() },
    erased: { seatsOf: nothing, profilesOf: nothing, agentSessionsOf: nothing },
  };
};

/** Answers live queries as unavailable: benches use only operations of browsers. */
const away = () => Promise.resolve({ status: 'unavailable', reason: 'There is no browser.' } as const);
const unreachable: LiveFleet = { live: away, putFile: away, download: away };

/** Ports of the write side. Only the event store is outside of the process. */
function benchPorts(store: EventStore, fleet: Fleet, logger: Logger, passwords: Passwords): WritePorts {
  const ports = clearPorts();
  return {
    ...{ ...ports, store, logger, passwords, registry: noNodes, turnSettings: defaultTurnSettings },
    fleet: { ...fleet, ...unreachable },
    runner: openRunner({ config: ports.config, logger }, store),
    rateLimits: createRateLimits({ logger, enforced: false }),
    positions: { record: () => Promise.resolve() },
    keyUses: { record: () => undefined },
    deprecatedUses: { record: () => undefined },
    heartbeats: memoryHeartbeats(systemClock),
    tunnels: new Tunnels({ logger }),
    videos: { keep: () => Promise.resolve(), find: () => Promise.resolve(undefined) },
    states: createProfileStates({ blobs: memoryBlobs(), vault: clearVault }),
    ...outboundOf({ model: { decompose: noModel, readBack: noModel, fillIn: noModel } }),
    forecast: () => Promise.resolve({ matching: 0, firstAt: null, lastAt: null }),
    storedBytes: () => Promise.resolve(0),
    ...{ payments: undefined, processor: undefined },
  };
}

/**
 * The write API on a log, with an account and its key. Includes every part of a request except two without a
 * counterpart on the raw side: the browser, and the records in Postgres of the account's position and of the key's
 * use. Staff and people act on the same log.
 */
export async function startWriteSide(
  url: string,
  fleet: Fleet,
  logger: Logger,
  passwords: Passwords = createPasswords({ queue: 1000 }),
) {
  const store = connectEventStore({ url, logger });
  const ports = benchPorts(store, fleet, logger, passwords);
  const { app, close: closeApi } = composeWriteApi(ports);
  const { port, close } = await listen(app, 0);
  const staff = staffOf(ports);
  return {
    ...{ store, ports, staff },
    base: `http://127.0.0.1:${port}`,
    token: (await staff.account('enterprise', ['read', 'write'])).token,
    events: (stream: string) => collect(store.readStream(stream)),
    close: async () => {
      await close();
      await closeApi();
      await store.close();
    },
  };
}

export type BenchWriteSide = Awaited<ReturnType<typeof startWriteSide>>;

async function collect(events: AsyncIterable<RecordedEvent>): Promise<RecordedEvent[]> {
  const all: RecordedEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** Sends a JSON POST, reads the answer to its end and returns its status. */
export async function post(agent: Agent, url: string, token: string | null, body: object, more = {}) {
  const credential = token === null ? {} : { authorization: `Bearer ${token}` };
  const answer = await request(url, {
    method: 'POST',
    dispatcher: agent,
    headers: { ...credential, 'content-type': 'application/json', ...more },
    body: JSON.stringify(body),
  });
  return { status: answer.statusCode, text: await answer.body.text() };
}

export async function createSessions(
  agent: Agent,
  base: string,
  token: string,
  count: number,
): Promise<string[]> {
  const answers = await Promise.all(
    Array.from({ length: count }, () => post(agent, `${base}/v1/sessions`, token, {})),
  );
  return answers.map(({ status, text }) => {
    if (status !== 201) throw new Error(`A session could not be created: ${text}`);
    const session = JSON.parse(text) as { readonly id: string };
    return session.id;
  });
}
