import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { request, type Agent } from 'undici';
import { createAccountCommands } from '../../../commands/account/index.ts';
import { defaultLinkLifetimes } from '../../../commands/login/index.ts';
import { createPasswords } from '../../passwords/index.ts';
import { createApiKeyCommands } from '../../../commands/api-key/index.ts';
import type { CommandContext } from '../../../commands/engine/context.ts';
import { createRunner } from '../../../commands/engine/runner.ts';
import { defaultSessionLimits } from '../../../commands/session/index.ts';
import { defaultWebhookLimits } from '../../../commands/webhook-endpoint/index.ts';
import { archetypeCatalogue } from '../../../contracts/archetypes.ts';
import { toId } from '../../../contracts/ids.ts';
import { createWriteApi } from '../../../write-api/index.ts';
import type { AccessTokens } from '../../credentials/access-tokens.ts';
import { systemClock } from '../../platform/clock.ts';
import { connectEventStore, type EventStore } from '../../event-store/client/index.ts';
import type { Fleet } from '../../fleet/control-plane/port.ts';
import { listen } from '../../http/index.ts';
import { hashApiKey, issueApiKey, keyedUuid } from '../../keys/index.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import { createRateLimits } from '../../rate-limits/index.ts';
import { createWebhookTarget } from '../../webhooks/target.ts';

const pepper = 'bench';
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
  heartbeat: () => Promise.resolve(),
  list: () => Promise.resolve([]),
  address: () => Promise.resolve(undefined),
  forget: () => Promise.resolve(),
  listening: () => Promise.resolve(),
  listeningForMs: () => Promise.resolve(0),
};

const noVault = { seal: () => Promise.resolve('sealed'), open: () => Promise.resolve({ text: 'opened' }) };
/** No request of the bench comes with a token. */
const noTokens: AccessTokens = {
  expiresInSeconds: 0,
  access: () => Promise.reject(new Error('no tokens')),
  secondFactor: () => Promise.reject(new Error('no tokens')),
  readAccess: () => Promise.resolve('malformed'),
  readSecondFactor: () => Promise.resolve('malformed'),
};

/** The bench registers none. */
const noWebhooks = {
  vault: noVault,
  target: createWebhookTarget(),
  limits: defaultWebhookLimits,
  forecast: () => Promise.resolve({ matching: 0, firstAt: null, lastAt: null }),
};

/** Nobody signs in here. */
const noSignIn: Parameters<typeof createWriteApi>[0]['signIn'] = {
  ...{ vault: noVault, tokens: noTokens, refreshMs: graceMs, freshMs: graceMs },
  ...{ passwords: createPasswords(), lifetimesMs: defaultLinkLifetimes, termsRevision: '' },
};

/**
 * The write API on a log, with an account and its key. Everything of a request is in it but two things the raw side has no
 * counterpart of: the browser, and the notes in Postgres of the account's position and of
 * the key's use.
 */
export async function startWriteSide(url: string, fleet: Fleet, logger: Logger) {
  const store = connectEventStore({ url, logger });
  const { app, close: closeApi } = createWriteApi({
    store,
    fleet,
    ingress: { registry: noNodes, joinToken: 'none', heartbeatMs: 1000 },
    positions: { note: () => Promise.resolve() },
    keyUses: { note: () => undefined },
    rateLimits: createRateLimits({ logger, enforced: false }),
    archetypes: archetypeCatalogue,
    sessionLimits: defaultSessionLimits,
    webhooks: noWebhooks,
    proxies: { vault: noVault, probe: () => Promise.resolve(null) },
    signIn: noSignIn,
    teams: { vault: noVault, inviteTtlMs: graceMs },
    settings: { vault: noVault, tryKey: () => Promise.resolve(null), reminderMs: 0, defaultCapCents: 2000 },
    deviceFlow: { ttlMs: graceMs, verificationUri: 'http://console.example/device' },
    addresses: createOutboundGuard(),
    pepper,
    keyGraceMs: graceMs,
    keyCacheMs: 5000,
    idempotencyRetentionMs: graceMs,
    cacheEntries: 10_000,
    clock: systemClock,
    logger,
    errorsBase: 'https://errors.example',
  });
  const { port, close } = await listen(app, 0);
  return {
    base: `http://127.0.0.1:${port}`,
    token: await issueToken(store, logger),
    close: async () => {
      await close();
      await closeApi();
      await store.close();
    },
  };
}

async function issueToken(store: EventStore, logger: Logger): Promise<string> {
  const runner = createRunner({ store, logger, cacheEntries: 10 });
  const context: CommandContext = {
    commandId: randomUUID(),
    correlationId: 'bench',
    causationId: 'bench',
    actor: { kind: 'staff', account_id: null },
    requestId: null,
  };
  const accounts = createAccountCommands({
    runner,
    clock: systemClock,
    seal: () => Promise.resolve('sealed'),
    emailUuid: (email) => keyedUuid(email, pepper),
  });
  const hashKey = (text: string) => hashApiKey(text, pepper);
  const keys = createApiKeyCommands({ runner, clock: systemClock, issueKey: issueApiKey, hashKey, graceMs });
  const { accountId } = await accounts.create(
    { email: `${randomUUID()}@example.com`, tier: 'enterprise' },
    context,
  );
  const key = { name: 'bench', scopes: ['read', 'write'], expiresAt: null } as const;
  return (await keys.create(accountId, key, 'staff', context)).text;
}

/** Sends a JSON POST, reads the answer to its end and gives its status. */
export async function post(agent: Agent, url: string, token: string, body: object) {
  const answer = await request(url, {
    method: 'POST',
    dispatcher: agent,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
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
