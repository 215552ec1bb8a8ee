import { expect } from 'chai';
import { uuidOf } from '../../contracts/ids.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { startWriteSide, type WriteSide } from '../testing.ts';

const slug = ({ json }: { json: Record<string, unknown> }) => String(json.type).split('/').at(-1);

describe('a profile from one session to the next, over HTTP', () => {
  let side: WriteSide;
  let token: string;
  before(async () => {
    side = await startWriteSide();
  });
  after(() => side.close());
  beforeEach(async () => {
    ({ token } = await side.staff.account('team'));
  });

  const call = (address: string, body?: object) => side.call(address, { token, ...(body && { body }) });
  const created = async () => String((await call('POST /v1/profiles', { name: 'Mine' })).json.id);
  const launch = async (profileId: string) => {
    const { status, json, text } = await call(`POST /v1/profiles/${profileId}/launch`);
    expect(status, text).to.equal(201);
    return String(json.id);
  };
  const destroy = (id: string) => call(`DELETE /v1/sessions/${id}`);
  const typesOf = async (id: string) => (await side.events(`profile-${uuidOf(id)}`)).map(({ type }) => type);
  /** The page's count of its visits, this one included. */
  async function visit(session: string): Promise<number> {
    await call(`POST /v1/sessions/${session}/navigate`, { url: 'http://sim.test/counter' });
    const { json, text } = await call(`GET /v1/sessions/${session}/state`);
    const storage = json.local_storage as { count?: string } | undefined;
    expect(storage, text).to.not.equal(undefined);
    return Number(storage?.count);
  }

  it('brings back what a page left, launch after launch, without waiting for the save', async () => {
    const id = await created();
    for (let visits = 1; visits <= 4; visits += 1) {
      const session = await launch(id);
      expect(await visit(session)).to.equal(visits);
      expect((await destroy(session)).status).to.equal(204);
    }
    await until(async () => (await typesOf(id)).at(-1) === 'StateSaved');
    const generations = (await side.events(`profile-${uuidOf(id)}`))
      .filter(({ type }) => type === 'StateSaved')
      .map(({ data }) => (data as { state: { generation: number } }).state.generation);
    expect(generations).to.deep.equal([1, 2, 3, 4]);
  });

  it('refuses a launch whose state is damaged, keeps that state, and releases slot and profile', async () => {
    const id = await created();
    const first = await launch(id);
    await visit(first);
    await destroy(first);
    await until(async () => (await typesOf(id)).at(-1) === 'StateSaved');
    const blobs = [...side.blobs.stored.entries()].filter(([key]) => key.startsWith(uuidOf(id)));
    for (const [, { content }] of blobs) content.writeUInt8(content.readUInt8(40) ^ 1, 40);
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const refused = await call(`POST /v1/profiles/${id}/launch`);
      expect([refused.status, slug(refused)]).to.deep.equal([502, 'driver-error']);
    }
    for (const [, { content }] of blobs) content.writeUInt8(content.readUInt8(40) ^ 1, 40);
    expect(await visit(await launch(id))).to.equal(2);
  });

  it('goes to the trash as soon as its session has ended, and comes back with what the pages left', async () => {
    const id = await created();
    const first = await launch(id);
    expect(await visit(first)).to.equal(1);
    const whileLive = await call(`DELETE /v1/profiles/${id}`);
    expect([whileLive.status, whileLive.json.active_session_id]).to.deep.equal([409, first]);
    await destroy(first);
    expect((await call(`DELETE /v1/profiles/${id}`)).status).to.equal(204);
    expect((await call(`POST /v1/profiles/${id}/restore`)).status).to.equal(200);
    expect(await visit(await launch(id))).to.equal(2);
  });

  it('can be exported and imported with what the pages left', async () => {
    const id = await created();
    const first = await launch(id);
    await visit(first);
    await destroy(first);
    await until(async () => (await typesOf(id)).at(-1) === 'StateSaved');
    const { json } = await call(`POST /v1/profiles/${id}/export`);
    const { data, passphrase } = json;
    const theirs = await call('POST /v1/profiles/import', { name: 'Theirs', data, passphrase });
    expect(theirs.status, theirs.text).to.equal(201);
    expect(await visit(await launch(String(theirs.json.id)))).to.equal(2);
  });
});
