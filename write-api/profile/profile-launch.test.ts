import { expect } from 'chai';
import { archetypeCatalogue } from '../../contracts/archetypes.ts';
import { uuidOf } from '../../contracts/ids.ts';
import { gate } from '../../infra/verification/testbed/index.ts';
import { startWriteSide, type WriteSide } from '../testing.ts';

const slug = ({ json }: { json: Record<string, unknown> }) => String(json.type).split('/').at(-1);

describe('a launch over HTTP', () => {
  let side: WriteSide;
  let token: string;
  before(async () => {
    side = await startWriteSide();
  });
  after(() => side.close());
  beforeEach(async () => {
    ({ token } = await account());
  });

  const account = () => side.staff.account('team');
  const call = (address: string, body?: object, headers: Record<string, string> = {}) =>
    side.call(address, { token, headers, ...(body && { body }) });
  const created = async () => String((await call('POST /v1/profiles', { name: 'Mine' })).json.id);
  const launch = (id: string, body?: object, headers?: Record<string, string>) =>
    call(`POST /v1/profiles/${id}/launch`, body, headers);

  it('takes the broad write on the route of the profile, and write:sessions alone on that of sessions', async () => {
    const { accountId, token: broad } = await side.staff.account('team');
    const { json } = await side.call('POST /v1/profiles', { token: broad, body: { name: 'Shared' } });
    const token = await side.staff.token(accountId, ['read:sessions', 'write:sessions']);
    const refused = await side.call(`POST /v1/profiles/${String(json.id)}/launch`, { token });
    expect([refused.status, slug(refused)]).to.deep.equal([403, 'forbidden']);
    const body = { profile_id: String(json.id) };
    const created = await side.call('POST /v1/sessions', { token, body });
    expect([created.status, created.json.profile_id]).to.deep.equal([201, json.id]);
  });

  it('is a session with the profile, of the shape of any other', async () => {
    const id = await created();
    const { status, json, headers } = await launch(id, { label: 'shopping', metadata: { x: 1 } });
    expect(status).to.equal(201);
    expect(json).to.deep.include({
      ...{ status: 'ready', label: 'shopping', profile_id: id, archetype: archetypeCatalogue.default },
      metadata: { profile_id: id, profile_name: 'Mine' },
    });
    expect(headers['x-service-unknown-fields']).to.equal('metadata');
    expect((await launch(uuidOf(id))).json).to.include({ active_session_id: json.id });
  });

  it('needs no body', async () => {
    expect((await launch(await created())).status).to.equal(201);
  });

  it('is replayed under its key, and is another one for another profile', async () => {
    const id = await created();
    const key = { 'idempotency-key': 'once' };
    const first = await launch(id, {}, key);
    const again = await launch(id, {}, key);
    expect(again.headers['idempotency-replayed']).to.equal('true');
    expect(again.text).to.equal(first.text);
    expect(first.headers['idempotency-replayed']).to.equal(undefined);
    const other = await call('POST /v1/profiles', { name: 'Other' });
    expect(slug(await launch(String(other.json.id), {}, key))).to.equal('conflict');
  });

  it('that is destroyed while it is being created is answered 410, as on the route of sessions', async () => {
    const starts = gate();
    const slow = await startWriteSide({ driver: { waits: { launch: starts.pass } } });
    const { token: own } = await slow.staff.account('team');
    const { json } = await slow.call('POST /v1/profiles', { token: own, body: { name: 'Mine' } });
    const launching = slow.call(`POST /v1/profiles/${String(json.id)}/launch`, { token: own });
    await starts.reached;
    const requested = (await slow.allEvents()).find(({ type }) => type === 'SessionRequested');
    const id = String(requested?.stream.replace('session-', 'ses_'));
    expect((await slow.call(`DELETE /v1/sessions/${id}`, { token: own })).status).to.equal(204);
    starts.open();
    const answer = await launching;
    expect([answer.status, slug(answer)]).to.deep.equal([410, 'session-destroyed']);
    await slow.close();
  });

  it('of a profile in the trash, of a stranger or of none is not found', async () => {
    const id = await created();
    await call(`DELETE /v1/profiles/${id}`);
    expect((await launch(id)).status).to.equal(404);
    expect((await launch('nobody')).status).to.equal(404);
    expect((await call('POST /v1/sessions', { profile_id: id })).status).to.equal(404);
    const own = await created();
    ({ token } = await account());
    expect((await launch(own)).status).to.equal(404);
  });
});
