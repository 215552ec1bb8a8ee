import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { request, type Agent } from 'undici';
import { defaultTurnSettings } from '../../../commands/agent-session/turn/index.ts';
import { defaultSessionLimits } from '../../../commands/session/index.ts';
import { defaultWebhookLimits } from '../../../commands/webhook-endpoint/index.ts';
import { defaultAgentSettings } from '../../../commands/agent-session/index.ts';
import { memoryHeartbeats } from '../../../commands/agent-session/testing.ts';
import { archetypeCatalogue } from '../../../contracts/archetypes.ts';
import { toId } from '../../../contracts/ids.ts';
import { createWriteApi } from '../../../write-api/index.ts';
import { defaultSignIn } from '../../../write-api/testing/sign-in.ts';
import { peppers, staffOf } from '../../../write-api/testing/staff.ts';
import { memoryBlobs } from '../../blobs/testing/memory.ts';
import { createAccessTokens, type AccessTokens } from '../../credentials/access-tokens.ts';
import { systemClock } from '../../platform/clock.ts';
import { connectEventStore, type RecordedEvent } from '../../event-store/client/index.ts';
import type { Fleet, LiveFleet } from '../../fleet/control-plane/port.ts';
import { listen } from '../../http/index.ts';
import { grammar } from '../../model/grammar/grammar.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import type { Passwords } from '../../passwords/index.ts';
import { createProfileStates } from '../../profile-states/index.ts';
import { createRateLimits } from '../../rate-limits/index.ts';
import type { SigningKey } from '../../vault/signing-keys.ts';
import { createWebhookTarget } from '../../webhooks/target.ts';
import { nothingSold } from '../../../write-api/testing/nothing-sold.ts';

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
  heartbeat: () => Promise.resolve(),
  list: () => Promise.resolve([]),
  address: () => Promise.resolve(undefined),
  forget: () => Promise.resolve(),
  listening: () => Promise.resolve(),
  listeningForMs: () => Promise.resolve(0),
};

/** Seals nothing: ciphers, and the Postgres that has their keys, are no part of what is measured. */
const clearVault = {
  seal: (_account: string, _field: string, text: string) => Promise.resolve(text),
  sealer: () => Promise.resolve((_field: string, text: string) => text),
  open: (_account: string, _field: string, sealed: string) => Promise.resolve({ text: sealed }),
};

/** Signs access tokens with a key that this process alone has. */
function accessTokens(): AccessTokens {
  let key: SigningKey | undefined;
  const keys = {
    findOrCreate: async (make: () => Buffer) => [
      (key ??= { id: 'bench', secret: make(), supersededMs: null }),
    ],
    all: async () => (key === undefined ? [] : [key]),
  };
  return createAccessTokens({ keys, clock: systemClock, accessMs: graceMs });
}

/** The bench registers none. */
const noModel = () => Promise.reject(new Error('No bench asks a model.'));

const noWebhooks = {
  vault: clearVault,
  target: createWebhookTarget(),
  limits: defaultWebhookLimits,
  forecast: () => Promise.resolve({ matching: 0, firstAt: null, lastAt: null }),
};

/** What people sign in with. */
export const signInInClear = (
  passwords: Passwords = defaultSignIn.passwords,
): Parameters<typeof createWriteApi>[0]['signIn'] => ({
  ...defaultSignIn,
  passwords,
  vault: clearVault,
  tokens: accessTokens(),
});

/** What is the same in every subject. */
const settled = {
  ingress: { registry: noNodes, joinToken: 'none', heartbeatMs: 1000 },
  positions: { record: () => Promise.resolve() },
  keyUses: { record: () => undefined },
  archetypes: archetypeCatalogue,
  sessionLimits: defaultSessionLimits,
  webhooks: noWebhooks,
  proxies: { vault: clearVault, probe: () => Promise.resolve(null) },
  profiles: {
    newNoiseSeed: () => 'AAAAAAAAAAAAAAAAAAAAAA',
    retentionMs: 30 * 24 * 3_600_000,
    states: createProfileStates({ blobs: memoryBlobs(), vault: clearVault }),
  },
  spoolDirectory: join(tmpdir(), 'service-bench-spool'),
  agents: { vault: clearVault, heartbeats: memoryHeartbeats(systemClock), settings: defaultAgentSettings },
  teams: { vault: clearVault, inviteTtlMs: graceMs },
  receipts: { vault: clearVault, retentionMs: graceMs },
  cards: { processor: undefined },
  settings: { vault: clearVault, tryKey: () => Promise.resolve(null), reminderMs: 0, defaultCapCents: 2000 },
  turns: {
    grammar,
    model: { decompose: noModel, readBack: noModel },
    settings: defaultTurnSettings,
  },
  deviceFlow: { ttlMs: graceMs, verificationUri: 'http://console.example/device' },
  videos: { keep: () => Promise.resolve(), find: () => Promise.resolve(undefined) },
  orders: nothingSold,
  ...{ peppers, keyGraceMs: graceMs, keyCacheMs: 5000, cacheEntries: 10_000 },
};

/** No bench asks a browser anything beside its operations. */
const away = () => Promise.resolve({ status: 'unavailable', reason: 'There is no browser.' } as const);
const unreachable: LiveFleet = { live: away, putFile: away, download: away };

/**
 * The write API on a log, with an account and its key. Everything of a request is in it but two things the raw side has no
 * counterpart of: the browser, and the notes in Postgres of the account's position and of
 * the key's use. Staff and people act on the same log.
 */
export async function startWriteSide(url: string, fleet: Fleet, logger: Logger, passwords?: Passwords) {
  const store = connectEventStore({ url, logger });
  const signIn = signInInClear(passwords);
  const { app, close: closeApi } = createWriteApi({
    store,
    fleet: { ...fleet, ...unreachable },
    ...settled,
    rateLimits: createRateLimits({ logger, enforced: false }),
    signIn,
    addresses: createOutboundGuard(),
    clock: systemClock,
    logger,
    errorsBase: 'https://errors.example',
  });
  const { port, close } = await listen(app, 0);
  const staff = staffOf(store, systemClock, signIn);
  return {
    ...{ store, signIn, staff },
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

/** Sends a JSON POST, reads the answer to its end and gives its status. */
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
