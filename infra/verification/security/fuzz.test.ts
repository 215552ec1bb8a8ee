import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc, { type Arbitrary } from 'fast-check';
import { archetypeCatalogue } from '../../../contracts/archetypes.ts';
import { idPrefixes } from '../../../contracts/ids.ts';
import { jsonSchema, type Json, type JsonObject } from '../../../contracts/openapi/json-schema.ts';
import { routes, type Route } from '../../../contracts/routes/index.ts';
import type { TurnOptions } from '../../../commands/agent-session/turn/index.ts';
import type { CallOptions } from '../../http/testing.ts';
import { bodySchema, idKindOf, namesId, namedSchemas, targetOf } from './attacks.ts';
import { broken, valid, type SampleOptions } from './samples.ts';
import { recordContracts } from '../../../contracts/records.ts';
import { isSubject, makeSubjects, recordCreation, subjectKinds, type SubjectKind } from './subjects.ts';
import { outcomeOf, startWholeService, type WholeService } from './whole-service.ts';

/**
 * `FUZZ_VOLLEYS=20000 FUZZ_SEED=7 npx mocha infra/verification/security/fuzz.test.ts` runs longer, or repeats a run.
 */
const volleys = Number(process.env.FUZZ_VOLLEYS ?? 80);
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));

const pages = ['/', '/form', '/login', '/redirect', '/crash', '/unreachable', '/nowhere'];
const samples: SampleOptions = {
  named: namedSchemas,
  // There is no such resource, so a body that names one would only be refused.
  without: ['profile_id'],
  instead: {
    archetype: fc.constantFrom(...archetypeCatalogue.archetypes.map(({ id }) => id), 'unknown'),
    timeout_ms: fc.integer({ min: 1, max: 50 }),
    ms: fc.integer({ min: 0, max: 60 }),
    user_message: fc.oneof(
      fc.constantFrom('go to http://sim.test/form', 'tap "Sign in"; take a screenshot', 'wait 0 seconds'),
      fc.string({ unit: 'binary', minLength: 1 }),
    ),
    url: fc.oneof(
      fc.constantFrom(...pages.map((path) => `http://sim.test${path}`)),
      fc.constantFrom(
        'http://127.0.0.1/',
        'http://[::1]/',
        'file:///etc/passwd',
        'javascript:1',
        'http://nowhere.invalid/',
      ),
      fc.constantFrom('https://receiver.example/hooks', 'https://169.254.169.254/'),
      fc.webUrl({ validSchemes: ['http', 'https'] }),
      fc.string({ minLength: 1 }),
    ),
  },
};

/** Selects ids by a random number: those that the run has created come first. */
type Pool = Readonly<Record<SubjectKind, string[]>>;

interface Attack {
  /** Id of a route of the table. */
  readonly routeId: string;
  readonly subject: number;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** Latin 1, so that a counterexample can be read. */
  readonly body: string | undefined;
}

/** Only the answer of a stream never ends. */
const table = (routes as readonly Route[]).filter(
  ({ success }) => success.contentType !== 'text/event-stream',
);

const bytesOf = (value: Json): Buffer => Buffer.from(JSON.stringify(value));

const bodyFor = (schema: JsonObject): Arbitrary<Buffer> =>
  fc.oneof(
    { weight: 5, arbitrary: valid(schema, samples).map(bytesOf) },
    { weight: 5, arbitrary: broken(schema, samples).map(bytesOf) },
    {
      weight: 1,
      arbitrary: fc.tuple(valid(schema, samples), fc.nat()).map(([value, at]) => {
        const bytes = bytesOf(value);
        return bytes.subarray(0, at % bytes.length);
      }),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  );

const queryFor = ({ query = {} }: Route) => {
  const one = Object.entries(query).map(([name, schema]) =>
    fc.oneof(
      valid(jsonSchema(schema), samples).map((value): [string, string] => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
      fc.string({ unit: 'binary' }).map((value): [string, string] => [name, value]),
    ),
  );
  const other = fc.tuple(fc.string(), fc.string());
  return fc.array(fc.oneof(other, ...one), { maxLength: 3 });
};

const token = /[^\x21-\x7e]/g;
const headers = fc.record(
  {
    'Idempotency-Key': fc.oneof(fc.constantFrom('one', 'two', 'three'), headerText()),
    'X-Service-Account': fc.oneof(
      headerText(),
      fc.uuid().map((uuid) => `acc_${uuid}`),
    ),
    'X-Service-Min-Position': fc.oneof(headerText(), fc.constantFrom('0/0', '1/1', '-1/0', '9/9/9')),
    'X-Request-Id': headerText(),
  },
  { requiredKeys: [] },
);
function headerText(): Arbitrary<string> {
  return fc.string({ maxLength: 300 }).map((value) => value.replaceAll(token, ''));
}

const attackOn = (route: Route): Arbitrary<Attack> => {
  const schema = bodySchema(route);
  return fc.record({
    routeId: fc.constant(route.id),
    subject: fc.nat({ max: 40 }),
    query: queryFor(route),
    // Most requests should pass the checks of headers.
    headers: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers }),
    body:
      schema === undefined
        ? fc.constant(undefined)
        : fc.option(bodyFor(schema), { nil: undefined, freq: 20 }).map((body) => body?.toString('latin1')),
  });
};

function subjectOf(route: Route, { subject }: Attack, pool: Pool): string {
  if (!namesId(route)) return '1';
  const kind = idKindOf(route);
  const ids = isSubject(kind) ? pool[kind] : [];
  const strange = ['nonsense', '%E2%82%AC', '%00', '..%2F', `${idPrefixes[kind]}_${randomUUID()}`];
  return [...ids.slice(-32), ...strange][subject % (Math.min(ids.length, 32) + strange.length)] ?? 'nonsense';
}

const kinds: Readonly<Record<string, SubjectKind>> = {
  '/v1/sessions': 'session',
  '/v1/agent-sessions': 'agentSession',
  '/v1/webhooks': 'webhook',
  ...Object.fromEntries(recordContracts.map(({ kind }) => [recordCreation(kind).path, kind])),
  '/v1/profiles': 'profile',
  '/v1/profiles/{id}/clone': 'profile',
  '/v1/profiles/{id}/snapshots': 'profileSnapshot',
  '/v1/team/invites': 'invitation',
};
const createdBy = ({ path }: Route): SubjectKind => kinds[path] ?? 'apiKey';

/** A model that makes the same plan for every message, with any key. */
const model: TurnOptions['model'] = {
  decompose: () => Promise.resolve({ plan: { decision: 'plan', intents: [visit], readBack: true }, usage }),
  readBack: () => Promise.resolve({ answer: 'So it is.', usage }),
  fillIn: () => Promise.resolve({ result: {}, usage }),
};
const visit = { kind: 'navigate', url: 'http://sim.test/' } as const;
const usage = { model: 'a-model', inputTokens: 1, outputTokens: 1, costCents: 1 };

/**
 * Server errors that simulated browsers, and a bundled model that is not configured, may rightly cause; any other
 * status from 500 on is a fault.
 */
const troubles = new Set([
  'byok-llm-required',
  'driver-error',
  'driver-not-integrated',
  'feature-unavailable',
  'session-timeout',
]);

describe('the whole service under requests drawn from its document', function () {
  this.timeout(120_000 + volleys * 1000);
  let service: WholeService;
  let tokens: readonly string[];
  const pool = Object.fromEntries(subjectKinds.map((kind) => [kind, [] as string[]])) as Pool;
  const answered = new Map<number, number>();

  before(async () => {
    service = await startWholeService({ model });
    const owner = await service.staff.account('enterprise');
    const { accountId, token: first } = owner;
    for (let n = 0; n < 8; n += 1) {
      const made = await makeSubjects(service, owner);
      for (const kind of subjectKinds) pool[kind].push(made[kind]);
    }
    const stranger = await service.staff.account('team');
    tokens = [first, first, await service.staff.token(accountId, ['read']), stranger.token];
  });
  after(() => service.close());

  async function strike(attack: Attack, index: number): Promise<void> {
    const route = table.find(({ id }) => id === attack.routeId);
    if (route === undefined) throw new Error(`There is no ${attack.routeId}.`);
    const query = attack.query.map((pair) =>
      pair.map((text) => encodeURIComponent(text.toWellFormed())).join('='),
    );
    const outer = route.path.startsWith('/v1/agent-sessions/') ? pool.agentSession : pool.webhook;
    const within = outer[attack.subject % outer.length];
    const target = `${targetOf(route, subjectOf(route, attack, pool), within)}?${query.join('&')}`;
    const call: CallOptions = {
      token: tokens[index % tokens.length] ?? null,
      headers: attack.headers,
      body: attack.body && Buffer.from(attack.body, 'latin1'),
    };
    const answer = await service.call(target, call);
    answered.set(answer.status, (answered.get(answer.status) ?? 0) + 1);
    if (answer.status >= 500) expect(troubles, answer.text).to.include(outcomeOf(answer));
    if (answer.status === 201) pool[createdBy(route)].push(String(answer.json.id));
  }

  it(`answers all as documented, and never with an unexpected error (seed ${seed})`, async () => {
    const volley = fc.array(fc.oneof(...table.map(attackOn)), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(volley, async (attacks) => {
        await Promise.all(attacks.map(strike));
      }),
      { seed, numRuns: volleys, endOnFailure: true },
    );
    expect(Object.fromEntries(answered)).to.include.keys('200', '400', '404');
  });

  it('has applied all of it to its read models afterwards, and continues to serve', async () => {
    await service.caughtUp();
    const parked = await service.pool.query('select projection, reason from runtime.parked');
    expect(parked.rows).to.deep.equal([]);
    const { token: fresh } = await service.staff.account('enterprise');
    const created = await service.call('POST /v1/sessions', { token: fresh, body: { label: 'after' } });
    expect(created.status).to.equal(201);
    const shown = await service.call(`GET /v1/sessions/${String(created.json.id)}`, { token: fresh });
    expect(shown.json).to.include({ label: 'after', status: 'ready' });
  });
});
