import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { JsonObject } from '../../../contracts/openapi/json-schema.ts';
import { namesUnknownFields } from '../../../contracts/route.ts';
import type { Route } from '../../../contracts/routes/index.ts';
import {
  bodySchema,
  idKindOf,
  namedSchemas,
  soundBodies,
  successSchemas,
  takesKeys,
  targetOf,
  withBody,
} from './attacks.ts';
import { isMade, makeOrder, makeSubject } from './subjects.ts';
import { startWholeService, type WholeService } from './whole-service.ts';

const fieldsOf = (schema: JsonObject | undefined): string[] =>
  Object.keys((schema?.properties ?? {}) as JsonObject);

/** Every field of any answer; clients must not be able to set those that the service owns. */
const everyField = [...new Set(Object.values(namedSchemas).flatMap(fieldsOf))];
const internals = [
  'admin',
  'accountId',
  'account',
  'hash',
  'tenant_id',
  'node_id',
  'epoch',
  'concurrent_sessions',
];

describe('fields that the service owns', () => {
  let service: WholeService;
  let account: Awaited<ReturnType<WholeService['staff']['account']>>;
  let session: Awaited<ReturnType<WholeService['staff']['session']>>;
  before(async () => {
    service = await startWholeService();
    account = await service.staff.account('enterprise');
    session = await service.staff.session(account.accountId);
  });
  after(() => service.close());

  /** A new one for each request. */
  async function subjectOf(route: Route): Promise<string> {
    if (route.params === undefined) return '';
    const kind = idKindOf(route);
    if (kind === 'order') return makeOrder(service, account);
    if (!isMade(kind)) throw new Error(`A body for ${kind}?`);
    return makeSubject(service, account, kind);
  }

  for (const route of withBody.filter(({ scopes }) => scopes !== null)) {
    it(`have no effect in the body of ${route.id}, and are named in the reply`, async () => {
      const declared = new Set(fieldsOf(bodySchema(route)));
      const undeclared = [...everyField, ...internals].filter((name) => !declared.has(name));
      const forged = {
        ...Object.fromEntries(undeclared.map((name) => [name, forgedValue(name)])),
        'cannot be stored \ud83d': '\0\ud83d',
      };
      const ask = async (extra: object) => {
        const id = await subjectOf(route);
        const body = { ...soundBodies[route.id], ...extra };
        const token = takesKeys(route) ? account.token : session.accessToken;
        const answer = await service.call(targetOf(route, id), { token, body });
        if (!withBrowser(route)) return { id, answer };
        await service.call(`DELETE /v1/sessions/${id || String(answer.json.id)}`, { token: account.token });
        return { id, answer };
      };
      const [plain, laden] = [await ask({}), await ask(forged)];
      expect(laden.answer.status).to.equal(plain.answer.status);
      expect(likeness(laden.answer.json)).to.deep.equal(likeness(plain.answer.json));
      const named = laden.answer.headers['x-service-unknown-fields']?.split(',');
      expect(named).to.deep.equal(namesUnknownFields(route) ? undeclared.slice(0, 10) : undefined);
      expect(plain.answer.headers).not.to.have.property('x-service-unknown-fields');
    });
  }

  // Errors of an OAuth client are always 400 (RFC 6749), so an unknown grant will do.
  for (const route of withBody.filter(({ scopes }) => scopes === null)) {
    it(`are not named in the reply of ${route.id}, which takes no credential`, async () => {
      const body = { ...soundBodies[route.id], account_id: forgedValue('account_id'), admin: true };
      const { status, headers } = await service.call(targetOf(route), { token: null, body });
      if (!route.oauth) expect(status).not.to.equal(400);
      expect(headers).not.to.have.property('x-service-unknown-fields');
    });
  }

  it('are stored from no body', async () => {
    const stored = await service.allEvents();
    expect(stored.length).to.be.above(20);
    for (const { type, data } of stored) expect(JSON.stringify(data), type).not.to.contain('forged');
  });

  it('are derived from the account, not from what a key claims', async () => {
    const { token } = account;
    const narrow = await service.staff.token(account.accountId, ['account_owner']);
    const asked = await service.call('POST /v1/api-keys', {
      token: narrow,
      body: { name: 'w', scopes: ['write'] },
    });
    expect(asked.status).to.equal(403);
    const listed = await service.call('GET /v1/api-keys', { token });
    expect(JSON.stringify(listed.json)).not.to.contain('"name":"w"');
  });

  it('are shown once if secret: the text of a key or a signing secret is only in the answer that creates it', async () => {
    const { token } = account;
    const made = await service.call('POST /v1/api-keys', { token, body: { name: 'secret' } });
    const rotated = await service.call(`POST /v1/api-keys/${String(made.json.id)}/rotate`, { token });
    const keys = [made, rotated].map(({ json }) => String(json.key));
    const hook = await service.call('POST /v1/webhooks', { token, body: soundBodies['webhooks.create'] });
    const renewed = await service.call(`POST /v1/webhooks/${String(hook.json.id)}/rotate-secret`, { token });
    const signing = [hook, renewed].map(({ json }) => String(json.secret));
    const texts = await Promise.all(
      [
        '/v1/api-keys',
        '/v1/webhooks',
        `/v1/webhooks/${String(hook.json.id)}`,
        '/v1/account/audit-log',
        '/v1/account/audit-log/export',
        '/v1/account/me',
      ].map(async (path) => (await service.call(`GET ${path}`, { token })).text),
    );
    const log = JSON.stringify((await service.allEvents()).map(({ data, metadata }) => [data, metadata]));
    for (const key of keys) expect(key).to.match(/^svc_live_/);
    for (const secret of signing) expect(secret).to.match(/^whsec_/);
    for (const secret of [...keys.map((key) => key.slice('svc_live_'.length + 22)), ...signing])
      for (const text of [...texts, log]) expect(text).not.to.contain(secret);
  });

  it('are in answers only as the contract lists them', () => {
    for (const route of withBody.filter(({ success }) => success.body !== null)) {
      for (const schema of successSchemas(route))
        expect(schema?.additionalProperties, route.id).to.equal(false);
    }
  });
});

const withBrowser = ({ path }: Route) => path.startsWith('/v1/sessions');

/** A value of roughly the field's type. */
function forgedValue(name: string): unknown {
  if (name.endsWith('_at')) return '1999-01-01T00:00:00.000Z';
  if (name === 'account_id' || name === 'owner_account_id') return `acc_${randomUUID()}`;
  return name === 'mfa_enrolled' || name === 'admin' ? true : `forged ${name}`;
}

const changing =
  /^(id|email|key|secret|prefix|last4|(agent_)?session_id|token|endpoint_id|instance|.*_at|duration_ms|previous|cloned_from|restored_from_snapshot|parent_profile_id|profile_(id|name)|data|sha256|passphrase|\w+_code|\w+_uri_complete)$/;

/** Labels that must be unique end in a uuid here. */
const isNew = (name: string, value: unknown): boolean =>
  changing.test(name) ||
  (typeof value === 'string' && /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value));

/** An answer in which values that differ each time are replaced by their types. */
const likeness = (json: Record<string, unknown>): unknown =>
  Object.fromEntries(
    Object.entries(json).map(([name, value]) => [
      name,
      isNew(name, value) ? typeof value : inner(name, value),
    ]),
  );
const inner = (name: string, value: unknown): unknown =>
  name === 'metadata' || name === 'session' ? likeness(value as Record<string, unknown>) : value;
