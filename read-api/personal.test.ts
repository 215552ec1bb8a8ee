import { expect } from 'chai';
import { uuidOf, type AccountId } from '../contracts/ids.ts';
import type { RecordedEvent } from '../infra/event-store/client/index.ts';
import { startWholeService, type WholeService } from '../infra/verification/security/whole-service.ts';
import { verifyAudit } from '../projections/audit/verify.ts';
import { verifyProjection } from '../projections/index.ts';
import { dataOf } from './testing.ts';

/** Occurs in every text written here, and in nothing else. */
const canary = 'Zuleika';
const tables = [
  'sessions',
  'profiles',
  'profile_snapshots',
  'api_keys',
  'webhooks',
  'proxies',
  'account_events',
  'audit_log',
];

describe('what customers write', () => {
  let service: WholeService;
  let me: { readonly token: string; readonly accountId: AccountId };
  const call = (target: string, body?: object) =>
    service.call(target, { token: me.token, ...(body && { body }) });
  const made = async (path: string, body: object) => {
    const { status, json, text } = await call(`POST /v1/${path}`, body);
    expect(status, text).to.equal(201);
    return String(json.id);
  };
  const first = async (path: string) => dataOf(await call(`GET /v1/${path}`))[0];
  const tableTexts = async () => {
    const texts = tables.map(async (table) => {
      const { rows } = await service.pool.query<{ text: string }>(
        `select t::text as text from read_model.${table} as t`,
      );
      return `${table}: ${rows.map(({ text }) => text).join()}`;
    });
    return Promise.all(texts);
  };
  const stored = async (): Promise<readonly RecordedEvent[]> => {
    const events: RecordedEvent[] = [];
    for await (const event of service.store.readAll()) events.push(event);
    return events;
  };

  before(async () => {
    service = await startWholeService();
    me = await service.staff.account('team');
    const profile = await made('profiles', { name: `of ${canary}`, description: `for ${canary}` });
    await call(`PATCH /v1/profiles/${profile}`, { name: `also of ${canary}` });
    await made(`profiles/${profile}/snapshots`, { label: `at ${canary}`, description: `by ${canary}` });
    const session = await made('sessions', {
      label: canary,
      metadata: { customer: canary },
      profile_id: profile,
    });
    await call(`DELETE /v1/sessions/${session}`);
    await made('webhooks', {
      url: `https://receiver.example/${canary}`,
      events: ['api_key.revoked'],
      description: canary,
    });
    const key = await made('api-keys', { name: `${canary} 1` });
    await call(`DELETE /v1/api-keys/${key}`);
    const proxy = { label: canary, scheme: 'http', host: `${canary}.example`, port: 3128, username: canary };
    await made('account/me/proxies', proxy);
    await service.caughtUp();
  });
  after(() => service.close());

  it('is shown to them', async () => {
    expect(await first('sessions')).to.include({ label: canary });
    expect((await first('sessions'))?.metadata).to.include({
      customer: canary,
      profile_name: `also of ${canary}`,
    });
    expect(await first('profiles')).to.include({ name: `also of ${canary}`, description: `for ${canary}` });
    expect(await first('profile-snapshots')).to.include({
      label: `at ${canary}`,
      description: `by ${canary}`,
    });
    expect(await first('webhooks')).to.include({
      url: `https://receiver.example/${canary}`,
      description: canary,
    });
    expect(dataOf(await call('GET /v1/api-keys')).map(({ name }) => name)).to.include(`${canary} 1`);
    expect(await first('account/me/proxies')).to.include({ label: canary, username: canary });
    const events = dataOf(await call('GET /v1/events'));
    expect(events.find(({ type }) => type === 'api_key.revoked')?.data).to.include({ name: `${canary} 1` });
  });

  it('keeps names unique in an account, whatever their case', async () => {
    const { status } = await call('POST /v1/profiles', { name: `ALSO OF ${canary.toUpperCase()}` });
    expect(status).to.equal(409);
  });

  it('is neither in the log nor in a table', async () => {
    const contents = JSON.stringify((await stored()).map(({ data, metadata }) => ({ data, metadata })));
    expect(contents).to.contain(uuidOf(me.accountId));
    expect(contents).not.to.match(new RegExp(canary, 'i'));
    for (const text of await tableTexts()) expect(text).not.to.match(new RegExp(canary, 'i'));
  });

  it('is in no entry of the audit log, which names what it leaves out', async () => {
    const entries = dataOf<{ action: string; payload: object }>(
      await call('GET /v1/account/audit-log?limit=50'),
    );
    const payloads = Object.fromEntries(entries.map(({ action, payload }) => [action, payload]));
    expect(payloads).to.deep.include({
      'profile.updated': { omitted: ['name'] },
      'profile_snapshot.created': {
        parent_profile_id: (await first('profiles'))?.id,
        omitted: ['label'],
      },
    });
    expect(payloads['proxy.created']).to.deep.equal({
      scheme: 'http',
      port: 3128,
      omitted: ['label', 'host', 'username'],
    });
    expect(JSON.stringify(entries)).not.to.match(/personal1|Zuleika/i);
    const { names } = (await call('GET /v1/account/audit-log?limit=50')).json;
    expect(Object.values(names as object)).to.include.members([
      ...[canary, `also of ${canary}`, `at ${canary}`, `${canary} 1`],
    ]);
  });

  it('changes neither a table nor a chain by its end', async () => {
    const { pool, store } = service;
    const verify = async () => ({
      tables: await Promise.all(
        tables.map(async (table) => ({ table, ...(await verifyProjection(table, { pool, store })) })),
      ),
      audit: await verifyAudit(me.accountId, { pool, store }),
    });
    const before = await verify();
    expect(before.audit.ok).to.equal(true);
    await service.vault.forget(me.accountId);
    expect(await verify()).to.deep.equal(before);
  });
});
