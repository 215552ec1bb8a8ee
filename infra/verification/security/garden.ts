import type { JsonObject } from '../../../contracts/openapi/json-schema.ts';
import { routes, type Route } from '../../../contracts/routes/index.ts';
import { caller, type Answer } from '../../http/testing.ts';
import {
  answerWith,
  freshDatabase,
  startCryptoProcessor,
  startReceivers,
  startStack,
  type TestStack,
} from '../testbed/index.ts';
import { answering, startModelProvider } from '../testbed/model-provider.ts';
import { idKindOf, namesId, pathOf } from './attacks.ts';
import { places, rowsOf } from './places.ts';
import { plantedTexts, type PlantedTexts } from './planted-texts.ts';
import { plantAddresses, plantBodies, plantedHeaders, plantRefusedHeaders, type Garden } from './planting.ts';
import { agentSession, plantByHand } from './planting-by-hand.ts';
import { isMade, makeSubject } from './subjects.ts';

/** A whole stack in which an account has written text wherever it can. */
export interface PlantedStack {
  /** By text field, the answer to a request with a text there. */
  readonly answers: ReadonlyMap<string, Answer>;
  /** The fields whose texts are found somewhere, with the places. */
  found(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Result of a query of the stack's database. */
  rows<Row extends object>(query: string): Promise<Row[]>;
  /** Erases all accounts that wrote. */
  erase(): Promise<void>;
  close(): Promise<void>;
}

export async function startGarden(): Promise<PlantedStack> {
  const crypto = { apiKey: 'key-of-the-processor', ipnSecret: 'secret-of-callbacks' };
  const [database, provider, receivers, processor] = await Promise.all([
    freshDatabase(),
    startModelProvider(),
    startReceivers({ hooks: answerWith(200) }),
    startCryptoProcessor(crypto),
  ]);
  provider.otherwise(answering('No.'));
  const env = {
    ...{ POSTGRES_URL: database.url, RATE_LIMITS: 'off', LOG_LEVEL: 'trace', NODE_CAPACITY: '1000' },
    ...{ OUTBOUND_ALLOW: '127.0.0.0/8', LLM_BASE_URL: provider.url, CRYPTO_API_URL: processor.url },
    ...{ CRYPTO_API_KEY: crypto.apiKey, CRYPTO_IPN_SECRET: crypto.ipnSecret },
  };
  const stack = await startStack({ env, limitMs: 120_000 });
  const { planted, answers, accounts } = await plantAll(stack, receivers.url('hooks', 'planted'));
  return {
    answers,
    async found() {
      const found = new Map<string, string[]>();
      for await (const [place, bytes] of places(stack, database.url))
        for (const field of planted.fieldsIn(bytes)) found.set(field, [...(found.get(field) ?? []), place]);
      return found;
    },
    rows: (query) => rowsOf(database.url, query),
    async erase() {
      await Promise.all(accounts.map((id) => stack.service('account', 'erase', '--account', id)));
    },
    async close() {
      await stack.stop();
      await Promise.all([provider.close(), receivers.close(), processor.close(), database.drop()]);
    },
  };
}

interface Planted {
  readonly planted: PlantedTexts;
  readonly answers: ReadonlyMap<string, Answer>;
  /** All accounts that wrote. */
  readonly accounts: readonly string[];
}

async function plantAll(stack: TestStack, receiver: string): Promise<Planted> {
  const planted = plantedTexts();
  const { account_id, api_key: token } = await stack.account('enterprise');
  const call = writing(stack, planted);
  const garden: Garden = {
    ...{ planted, receiver, call, answers: new Map<string, Answer>() },
    tokenFor: ({ scopes }) => (scopes === null ? null : token),
    bodies: bodiesFor(receiver, await agentSession({ call }, token)),
    pathOf: pathsOf(call, token, receiver),
  };
  await plantBodies(garden);
  await plantAddresses(garden);
  await plantRefusedHeaders(garden, token);
  await plantByHand(garden, stack, token);
  const answers = [...garden.answers.values()];
  const signedUp = answers.flatMap(({ json, status }) =>
    status === 201 && json.verification_required !== undefined ? [String(json.account_id)] : [],
  );
  const sessions = answers.flatMap(({ json: { id } }) => (String(id).startsWith('ses_') ? [String(id)] : []));
  await Promise.all(sessions.map((id) => call(`DELETE /v1/sessions/${id}`, { token })));
  return { planted, answers: garden.answers, accounts: [account_id, ...new Set(signedUp)] };
}

/** Calls with texts in all headers. */
function writing(stack: TestStack, planted: PlantedTexts): Garden['call'] {
  const send = caller(Number(new URL(stack.baseUrl).port));
  const always = plantedHeaders(planted);
  return (target, { headers, ...options }) => {
    const own = `sk-ant-${planted.text('header x-byok-llm-api-key')}`;
    const key = planted.text('header Idempotency-Key');
    const texts = { ...always, 'Idempotency-Key': key, 'x-byok-llm-api-key': own };
    return send(target, { ...options, headers: { ...texts, ...headers } });
  };
}

const table: readonly Route[] = routes;

/** Bodies with which requests succeed here. */
function bodiesFor(url: string, agent_session_id: string): Readonly<Record<string, JsonObject>> {
  const operations = table.filter(({ id }) => id.startsWith('sessions.') && id !== 'sessions.create');
  return {
    ...Object.fromEntries(operations.map(({ id }) => [id, { timeout_ms: 50 }])),
    'webhooks.create': { url, events: ['session.completed', 'api_key.revoked'] },
    'recipes.create': { agent_session_id, steps: [{ kind: 'navigate', url: 'http://sim.test/' }] },
  };
}

/** Subject of a route, with a page if it is a session; a new profile each time. */
function pathsOf(call: Garden['call'], token: string, url: string): Garden['pathOf'] {
  const used = new Map<string, string>();
  const make = async (kind: Parameters<typeof makeSubject>[2]) => {
    if (kind !== 'webhook') return makeSubject({ call }, { token }, kind);
    const body = { url, events: ['session.completed'] };
    return String((await call('POST /v1/webhooks', { token, body })).json.id);
  };
  return async (route) => {
    const kind = namesId(route) ? idKindOf(route) : undefined;
    if (kind === undefined || !isMade(kind)) return pathOf(route);
    const known = kind === 'profile' ? undefined : used.get(route.id);
    const id = known ?? (await make(kind));
    used.set(route.id, id);
    const body = { url: 'http://sim.test/form' };
    if (known === undefined && kind === 'session')
      await call(`POST /v1/sessions/${id}/navigate`, { token, body });
    return pathOf(route, id);
  };
}
