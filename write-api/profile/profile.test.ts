import { expect } from 'chai';
import { archetypeCatalogue } from '../../contracts/archetypes.ts';
import { dayMs } from '../../contracts/durations.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { uuidOf } from '../../contracts/ids.ts';
import type { Tier } from '../../contracts/tiers.ts';
import { fixedClock, startWriteSide, type WriteSide } from '../testing.ts';

const slug = ({ json }: { json: Record<string, unknown> }) => String(json.type).split('/').at(-1);

describe('profiles over HTTP', () => {
  const clock = fixedClock();
  let side: WriteSide;
  before(async () => {
    side = await startWriteSide({ clock });
  });
  after(() => side.close());

  const call = (token: string, address: string, body?: object) =>
    side.call(address, { token, ...(body && { body }) });
  const create = (token: string, body: object) => call(token, 'POST /v1/profiles', body);
  const made = async (token: string, name: string, body: object = {}) => {
    const { status, json, text } = await create(token, { name, ...body });
    expect(status, text).to.equal(201);
    return String(json.id);
  };
  const patch = (token: string, id: string, body: object) => call(token, `PATCH /v1/profiles/${id}`, body);
  const trash = (token: string, id: string) => call(token, `DELETE /v1/profiles/${id}`);
  const restore = (token: string, id: string) => call(token, `POST /v1/profiles/${id}/restore`);
  const purge = (token: string, id: string) => call(token, `DELETE /v1/profiles/${id}/purge`);
  const clone = (token: string, id: string, body?: object) =>
    call(token, `POST /v1/profiles/${id}/clone`, body);
  const account = (tier: Tier = 'team') => side.staff.account(tier);
  const typesOf = async (stream: string) => (await side.events(stream)).map(({ type }) => type);

  it('are created with the archetype of the catalogue and nothing saved yet', async () => {
    const { token, accountId } = await account();
    const { status, json, headers } = await create(token, { name: 'Work', description: 'of mine' });
    const at = clock.now().toISOString();
    expect(status).to.equal(201);
    expect(headers['x-service-position']).to.match(/^\d+\/\d+$/);
    expect(json).to.deep.equal({
      id: json.id,
      name: 'Work',
      archetype: archetypeCatalogue.default,
      description: 'of mine',
      last_used_at: null,
      created_at: at,
      updated_at: at,
      storage_bytes: 0,
      save_state: 'none',
      cloned_from: null,
      restored_from_snapshot: null,
    });
    expect(json.id).to.match(/^prof_[0-9a-f-]{36}$/);
    const [event] = await side.events(`profile-${uuidOf(String(json.id))}`);
    const data = event?.data as { noiseSeed: string };
    expect(data).to.include({ accountId, name: 'Work' });
    expect(data.noiseSeed).to.match(/^[\w-]{22}$/);
  });

  it('have different noise each, clones included', async () => {
    const { token } = await account();
    const id = await made(token, 'one');
    const ids = [id, String((await clone(token, id)).json.id), await made(token, 'two')];
    const seeds = await Promise.all(
      ids.map(async (each) => {
        const [created] = await side.events(`profile-${uuidOf(each)}`);
        return (created?.data as { noiseSeed: string }).noiseSeed;
      }),
    );
    expect(new Set(seeds).size).to.equal(3);
  });

  it('are refused with wrong fields, before anything is written', async () => {
    const { token, accountId } = await account();
    const wrong: object[] = [
      {},
      { name: '' },
      { name: ' ' },
      { name: 'x'.repeat(121) },
      { name: 'nul\0' },
      { name: 'lone \ud800' },
      { name: 5 },
      { name: 'a', description: 7 },
      { name: 'a', archetype: 'nokia' },
    ];
    for (const body of wrong) {
      const answer = await create(token, body);
      expect([answer.status, slug(answer)], JSON.stringify(body)).to.deep.equal([400, 'validation-failed']);
    }
    expect(await typesOf(`account_profiles-${uuidOf(accountId)}`)).to.deep.equal([]);
  });

  it('may have names of 120 characters, each counted as one', async () => {
    const { token } = await account();
    const name = '😀'.repeat(120);
    expect((await create(token, { name })).json.name).to.equal(name);
  });

  it('have names that are unique in their account, whatever their case or form', async () => {
    const [{ token }, other] = [await account(), await account()];
    await made(token, 'Caf\u00e9');
    for (const name of ['caf\u00e9', 'CAFE\u0301'])
      expect(slug(await create(token, { name })), name).to.equal('conflict');
    await made(other.token, 'Caf\u00e9');
    const id = await made(token, 'tea');
    expect(slug(await patch(token, id, { name: 'cafe\u0301' }))).to.equal('conflict');
    expect((await patch(token, id, { name: 'TEA' })).json.name).to.equal('TEA');
  });

  it('free a name once they are called otherwise', async () => {
    const { token } = await account();
    const id = await made(token, 'before');
    expect((await patch(token, id, { name: 'after', description: 'x' })).json).to.include({
      name: 'after',
      description: 'x',
    });
    await made(token, 'before');
    expect((await patch(token, id, { description: null })).json).to.include({
      name: 'after',
      description: null,
    });
  });

  it('keep their archetype for life', async () => {
    const { token } = await account();
    const archetype = String(archetypeCatalogue.archetypes.at(-1)?.id);
    const id = await made(token, 'fixed', { archetype });
    expect((await patch(token, id, { archetype })).json.archetype).to.equal(archetype);
    for (const other of [archetypeCatalogue.default, 'nokia']) {
      const { status, json } = await patch(token, id, { archetype: other });
      expect([status, (json.errors as { path: string }[]).map(({ path }) => path)]).to.deep.equal([
        400,
        ['/body/archetype'],
      ]);
    }
  });

  it('are as many as the tier allows; the trash does not count', async () => {
    const { token } = await account('free');
    const id = await made(token, 'only');
    for (const answer of [await create(token, { name: 'more' }), await clone(token, id)])
      expect([answer.status, slug(answer)]).to.deep.equal([429, 'tier-limit']);
    expect((await trash(token, id)).status).to.equal(204);
    await made(token, 'ONLY');
    const refused = await restore(token, id);
    expect([refused.status, slug(refused)]).to.deep.equal([429, 'tier-limit']);
  });

  it('that come all at once are no more than the tier allows', async () => {
    const { token } = await account('personal');
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => create(token, { name: `at once ${n}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).to.have.length(10);
    expect(answers.filter(({ status }) => status === 429)).to.have.length(6);
  });

  it('come out of the trash with their name, if it and a place are free', async () => {
    const other = await account();
    const gone = await made(other.token, 'taken');
    await trash(other.token, gone);
    await made(other.token, 'TAKEN');
    const taken = await restore(other.token, gone);
    expect([taken.status, slug(taken)]).to.deep.equal([409, 'conflict']);
    const { token } = await account('free');
    const id = await made(token, 'first');
    await trash(token, id);
    const taker = await made(token, 'second');
    const full = await restore(token, id);
    expect([full.status, slug(full)]).to.deep.equal([429, 'tier-limit']);
    await trash(token, taker);
    expect((await restore(token, id)).json).to.include({ id, name: 'first' });
    expect((await restore(token, id)).status).to.equal(200);
    expect(slug(await create(token, { name: 'third' }))).to.equal('tier-limit');
  });

  it('are put into the trash once, however often that is asked', async () => {
    const { token } = await account();
    const id = await made(token, 'unloved');
    for (let n = 0; n < 2; n += 1) expect((await trash(token, id)).status).to.equal(204);
    expect(await typesOf(`profile-${uuidOf(id)}`)).to.deep.equal(['ProfileCreated', 'ProfileTrashed']);
    const [, trashed] = await side.events(`profile-${uuidOf(id)}`);
    const purgeAt = new Date(clock.now().getTime() + 30 * dayMs).toISOString();
    expect(trashed?.data).to.include({ purgeAt });
  });

  it('in the trash are not changed, cloned, captured or given away', async () => {
    const [{ token }, other] = [await account(), await account()];
    const id = await made(token, 'gone');
    await trash(token, id);
    for (const answer of [
      await patch(token, id, { name: 'back' }),
      await clone(token, id),
      await call(token, `POST /v1/profiles/${id}/snapshots`, { label: 'x' }),
      await call(token, `POST /v1/profiles/${id}/transfer`, { to_account_id: other.accountId }),
    ])
      expect([answer.status, slug(answer)]).to.deep.equal([404, 'not-found']);
  });

  it('are purged from the trash alone, and are then gone', async () => {
    const { token } = await account();
    const id = await made(token, 'brief');
    const refused = await purge(token, id);
    expect([refused.status, slug(refused)]).to.deep.equal([409, 'conflict']);
    await trash(token, id);
    expect((await purge(token, id)).status).to.equal(204);
    for (const answer of [await purge(token, id), await trash(token, id), await restore(token, id)])
      expect(slug(answer)).to.equal('not-found');
  });

  it('of another account, purged ones and what is no id are not found, all alike', async () => {
    const [{ token }, other] = [await account(), await account()];
    const id = await made(other.token, 'theirs');
    for (const each of [
      id,
      uuidOf(id),
      'prof_0197f1a0-0000-7000-8000-000000000001',
      'none',
      `ses_${uuidOf(id)}`,
    ]) {
      for (const answer of [
        await patch(token, each, { name: 'mine' }),
        await trash(token, each),
        await restore(token, each),
        await purge(token, each),
        await clone(token, each),
      ])
        expect([answer.status, slug(answer)], each).to.deep.equal([404, 'not-found']);
    }
  });

  it('are found by their bare uuid too', async () => {
    const { token } = await account();
    const id = await made(token, 'bare');
    expect((await patch(token, uuidOf(id), { name: 'by uuid' })).json).to.include({ id, name: 'by uuid' });
    expect((await trash(token, uuidOf(id))).status).to.equal(204);
  });

  it('are cloned with archetype and description, and say what they were cloned from', async () => {
    const { token } = await account();
    const archetype = String(archetypeCatalogue.archetypes.at(-1)?.id);
    const id = await made(token, 'source', { archetype, description: 'as it is' });
    const { status, json } = await clone(token, id, { name: 'named' });
    expect(status).to.equal(201);
    expect(json).to.include({ name: 'named', archetype, description: 'as it is', cloned_from: id });
    expect(json).to.include({ save_state: 'none', storage_bytes: 0, last_used_at: null });
    expect(slug(await clone(token, id, { name: 'NAMED' }))).to.equal('conflict');
  });

  it('are called copies when nothing else is said, each with the next number', async () => {
    const { token } = await account();
    const id = await made(token, 'Work');
    const names = [];
    for (let n = 0; n < 3; n += 1) names.push((await clone(token, id)).json.name);
    expect(names).to.deep.equal(['Work copy', 'Work copy 2', 'Work copy 3']);
    const long = await made(token, '😀'.repeat(120));
    const copy = String((await clone(token, long)).json.name);
    expect(copy).to.equal(`${'😀'.repeat(115)} copy`);
    expect(String((await clone(token, long)).json.name)).to.equal(`${'😀'.repeat(113)} copy 2`);
  });

  it('cloned all at once have names of their own', async () => {
    const { token } = await account();
    const id = await made(token, 'Busy');
    const answers = await Promise.all(Array.from({ length: 5 }, () => clone(token, id)));
    expect(new Set(answers.map(({ json }) => json.name)).size, answers[0]?.text).to.equal(5);
  });

  it('get the name back that a request had reserved which died before it restored', async () => {
    const { token, accountId } = await account('free');
    const id = await made(token, 'only');
    await trash(token, id);
    const stream = `account_profiles-${uuidOf(accountId)}`;
    const events = await side.events(stream);
    const [reserved] = events as [RecordedEvent];
    await side.store.append(stream, BigInt(events.length - 1), [
      {
        id: '0197f1a0-0000-7000-8000-0000000000df',
        type: 'ProfileQuotaReserved',
        data: { ...(reserved.data as object), at: clock.now().toISOString() },
        metadata: { ...reserved.metadata, schema_version: 1 },
      },
    ]);
    expect(slug(await create(token, { name: 'other' }))).to.equal('tier-limit');
    clock.advance(60_000);
    await made(token, 'other');
  });
});
