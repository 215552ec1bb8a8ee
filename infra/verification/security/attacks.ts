import { randomUUID } from 'node:crypto';
import { idPrefixes, toId, type IdKind } from '../../../contracts/ids.ts';
import type { Json, JsonObject } from '../../../contracts/openapi/json-schema.ts';
import { openApiDocument } from '../../../contracts/openapi/document.ts';
import { recordContracts, type RecordContract } from '../../../contracts/records.ts';
import { routes, type Route } from '../../../contracts/routes/index.ts';
import { errorsBase } from '../../../write-api/testing.ts';

/** The published document, for the generators of these tests. */
const document = openApiDocument({ errorsBase });
const at = (node: Json | undefined, ...path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner[key] : undefined,
    node,
  );
const objectAt = (...path: readonly string[]): JsonObject | undefined => {
  const found = at(document, ...path);
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? found : undefined;
};

export const namedSchemas = objectAt('components', 'schemas') as Readonly<Record<string, JsonObject>>;

/** A schema at a path of the document. */
const resolved = (schema: JsonObject | undefined): JsonObject | undefined =>
  typeof schema?.$ref === 'string' ? namedSchemas[schema.$ref.split('/').at(-1) ?? ''] : schema;

const operationPath = (route: Route) => ['paths', route.path, route.method.toLowerCase()];

export const bodySchema = (route: Route): JsonObject | undefined =>
  resolved(objectAt(...operationPath(route), 'requestBody', 'content', 'application/json', 'schema'));

/** Schemas of a route's success answer, one for each variant. */
export function successSchemas(route: Route): readonly (JsonObject | undefined)[] {
  const schema = successSchema(route);
  const variants = schema?.oneOf ?? schema?.anyOf;
  return Array.isArray(variants) ? variants.map((one) => resolved(one as JsonObject)) : [schema];
}

const successSchema = (route: Route): JsonObject | undefined =>
  resolved(
    objectAt(
      ...operationPath(route),
      'responses',
      String(route.success.status),
      'content',
      'application/json',
      'schema',
    ),
  );

const table: readonly Route[] = routes;
export const guarded = table.filter(({ scopes }) => scopes !== null);
export const withBody = table.filter(({ body }) => body !== undefined);
export const lists = guarded.filter(({ query }) => query !== undefined && 'cursor' in query);
export const pages = guarded.filter(({ query }) => query !== undefined && 'limit' in query);

/** Whether the guard of a route accepts an API key. */
export const takesKeys = ({ credentials }: Route): boolean => credentials?.includes('api_key') ?? true;

/** The subject of a route is the last id in its path; an id before it is of the parent resource. */
const subjectParam = ({ params = {} }: Route): string | undefined => Object.keys(params).at(-1);

/** Whether the last parameter of the path is an id, and not a number. */
export const namesId = (route: Route): boolean =>
  JSON.stringify(route.params?.[subjectParam(route) ?? ''] ?? {}).includes('<uuid>');

/** Incidents belong to no account. */
export const withId = guarded.filter(namesId);

/** The kind of id that a route takes, from its published description. */
export function idKindOf(route: Route): IdKind {
  const described = JSON.stringify(route.params?.[subjectParam(route) ?? ''] ?? {});
  const [isSaid, prefix = ''] = /`(?:(\w+)_)?<uuid>`/.exec(described) ?? [];
  const kind = (Object.keys(idPrefixes) as IdKind[]).find((each) => isSaid && idPrefixes[each] === prefix);
  if (kind === undefined) throw new Error(`${route.id} does not say what its id is.`);
  return kind;
}

/** A path of the table with ids in it, which must be encoded already. */
export const pathOf = (route: Route, id: string = randomUUID(), within: string = id): string =>
  route.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    if (!namesId(route)) return '1';
    return name === subjectParam(route) ? id : within;
  });

/** The route in the form that `call` takes. */
export const targetOf = (route: Route, id?: string, within?: string): string =>
  `${route.method} ${pathOf(route, id, within)}`;

/** Invalid ids of that kind, each of which might nevertheless resolve to `id`. */
export function malformedIds(kind: IdKind, id: string): readonly string[] {
  const uuid = id.slice(id.indexOf('_') + 1);
  const other = kind === 'session' ? 'apiKey' : 'session';
  const texts = [
    'nonsense',
    '0',
    '-1',
    '*',
    'null',
    'undefined',
    uuid,
    id.toUpperCase(),
    id.replaceAll('-', ''),
    toId(other, uuid),
    `${id}%20`,
    `${id}%0A`,
    `${id},${id}`,
    `${id};`,
    `${id}%2F`,
    `..%2F${id}`,
    `%2e%2e`,
    `${id}'%20or%20'1'='1`,
    `${id.slice(0, -1)}%EF%BC%91`,
    id.slice(0, -1),
    `${id}0`,
    'x'.repeat(5_000),
    '%00',
    `${id}%00`,
    `${id}%zz`,
    `${id}%`,
    '%ED%A0%80',
    `${id}%C0%80`,
  ];
  // Without its prefix, a bare uuid is the id itself.
  return texts.filter((text) => text !== id);
}

/** Valid bodies for each route that requires one, except those of the record kit. */
const bodies: Readonly<Record<string, object>> = {
  'status.subscribe': { email: 'somebody@example.com' },
  'auth.signup': { email: 'ann@example.com', password: 'purple-otter-42', legal_revision: '1' },
  'auth.verify-email': { token: 'none' },
  'auth.verify-email.resend': { email: 'ann@example.com' },
  'auth.login': { email: 'ann@example.com', password: 'purple-otter-43' },
  'auth.logout': { refresh_token: 'none' },
  'auth.refresh': { refresh_token: 'none' },
  'auth.magic-link.request': { email: 'ann@example.com' },
  'auth.magic-link.consume': { token: 'none' },
  'auth.password-reset.request': { email: 'ann@example.com' },
  'auth.password-reset.confirm': { token: 'none', password: 'purple-otter-44' },
  'auth.merge.confirm': { token: 'none' },
  'sessions.create': {},
  'sessions.navigate': { url: 'http://sim.test/' },
  'sessions.interact': { action: { kind: 'press', key: 'a' } },
  'sessions.wait': { condition: { kind: 'delay', ms: 0 } },
  'sessions.capture': { kind: 'dom_snapshot' },
  'sessions.extract': {
    schema: { type: 'object', properties: { title: { type: 'string', 'x-selector': 'h1' } } },
  },
  'sessions.search': { query: 'anything' },
  'sessions.login': { url: 'http://sim.test/login', fields: { username: 'ada', password: 'correct' } },
  'agent-sessions.create': { mode: 'manual' },
  'agent-sessions.message': { user_message: 'go to http://sim.test/' },
  'agent-sessions.mode': { mode: 'manual' },
  'agent-sessions.input-event': { event: { type: 'ping', timestamp: 1 }, client_id: 'a-client' },
  'agent-sessions.takeover': { client_id: 'a-client' },
  'agent-sessions.handback': {},
  'agent-session-links.create': { right: 'watch' },
  'agent-session-links.open': { token: 'not-one-of-ours' },
  'agent-sessions.resume': {},
  'agent-sessions.cookies-set': { cookies: [{ domain: 'sim.test', name: 'a', value: '1' }] },
  'agent-sessions.history': { direction: 'back' },
  'agent-sessions.upload': { name: 'a.txt', mime: 'text/plain', dataB64: 'eA==' },
  'api-keys.create': { name: 'a key' },
  'api-keys.rotate': {},
  // Names of profiles are unique in an account.
  get 'profiles.create'() {
    return { name: randomUUID() };
  },
  'profiles.update': { description: 'of the tests' },
  get 'profiles.clone'() {
    return { name: randomUUID() };
  },
  'profiles.transfer': { to_account_id: toId('account', randomUUID()) },
  'profiles.launch': {},
  'profiles.export': {},
  'profiles.trim': {},
  'profiles.import': { name: 'imported', data: 'bm8gZXhwb3J0', passphrase: 'none' },
  'profile-snapshots.create': { label: 'as it was' },
  get 'profile-snapshots.restore'() {
    return { name: randomUUID() };
  },
  'organization.put': { display_name: 'Ada', company: 'Example', use_case: 'tests', size: '1-10' },
  'email-preferences.put': { event_type: 'tier-changed', opted_in: false },
  'byok-llm-key.put': { api_key: 'sk-ant-api03-0123456789' },
  'bundled-llm-settings.update': { bundled_llm_consent: true },
  // So are the addresses of open invitations.
  get 'team-invites.create'() {
    return { email: `${randomUUID()}@example.com`, role: 'member' };
  },
  'team-invites.accept': { token: 'never given' },
  'webhooks.create': { url: 'https://receiver.example/hooks', events: ['session.completed'] },
  'webhooks.update': { events: ['session.failed'] },
  'webhooks.replay': { since: '2020-01-01T00:00:00.000Z', until: '2020-01-02T00:00:00.000Z' },
  'crypto-orders.quote': { product: 'api_builder_month', pay_currency: 'btc' },
  'crypto-orders.create': { product: 'api_builder_month', pay_currency: 'btc' },
  'crypto-orders.update': { pay_currency: 'eth' },
  'mfa.confirm': { code: '000000' },
  'mfa.disable': { code: '000000' },
  'mfa.step-up': { code: '000000' },
  'mfa.login': { mfa_token: 'none', code: '000000' },
  'legal.accept': { revision: '2026-01' },
  'oauth.device-authorization': { client_id: 'service-desktop' },
  'oauth.token': { grant_type: 'refresh_token', refresh_token: 'none' },
  'oauth.device': { user_code: 'BCDF-GHJK', approve: false },
  'billing.checkout': { tier: 'personal' },
  'billing.portal': {},
};

/** The bodies, with those of the record kit: different ones each time, since names are unique in an account. */
export const soundBodies: Readonly<Record<string, object>> = Object.defineProperties(
  bodies,
  Object.fromEntries(
    recordContracts
      .flatMap(({ examples }: RecordContract) => Object.entries(examples))
      .map(([id, example]) => [id, { get: () => example(randomUUID()), enumerable: true }]),
  ),
);
