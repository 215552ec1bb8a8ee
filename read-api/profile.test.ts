import { expect } from 'chai';
import { dayMs } from '../contracts/durations.ts';
import { toId, uuidOf } from '../contracts/ids.ts';
import { profilePurgesManager } from '../commands/process-managers/index.ts';
import { join, type Person } from '../write-api/testing/team.ts';
import { dataOf, outcomeOf } from './testing.ts';
import { useProfiles } from './testing/profiles.ts';

describe('profiles and snapshots of an account', () => {
  const { clock, service, call, made, captured, idsIn, person } = useProfiles();

  /** Reacts to a purge, as the process host does. */
  async function finishPurgeOf(id: string) {
    const manager = profilePurgesManager({ runner: service().staff.runner, clock, vault: service().vault });
    for (const event of await service().events(`profile-${uuidOf(id)}`)) await manager.handle(event);
  }

  it('are listed newest first, page by page, and read the moment they are made', async () => {
    const { token } = await person();
    const ids = [await made(token, 'a'), await made(token, 'b'), await made(token, 'c')];
    const first = await call(token, 'GET /v1/profiles?limit=2');
    expect(dataOf<{ id: string }>(first).map(({ id }) => id)).to.deep.equal([ids[2], ids[1]]);
    const next = `/v1/profiles?limit=2&cursor=${String(first.json.next_cursor)}`;
    expect(await idsIn(token, next)).to.deep.equal([ids[0]]);
    const [id = ''] = ids;
    for (const each of [id, uuidOf(id)])
      expect((await call(token, `GET /v1/profiles/${each}`)).json).to.include({ id, name: 'a' });
  });

  it('are listed by the profile or the snapshot that they were made from', async () => {
    const [{ token }, other] = [await person(), await person()];
    const id = await made(token, 'original');
    const snapshot = await captured(token, id);
    const makeFrom = async (target: string, name: string) => {
      const { status, json, text } = await call(token, target, { name });
      expect(status, text).to.equal(201);
      clock.advance(1000);
      return String(json.id);
    };
    const first = await makeFrom(`POST /v1/profiles/${id}/clone`, 'first');
    const second = await makeFrom(`POST /v1/profiles/${id}/clone`, 'second');
    const ofFirst = await makeFrom(`POST /v1/profiles/${first}/clone`, 'of the first');
    const restored = await makeFrom(`POST /v1/profile-snapshots/${snapshot}/restore`, 'restored');
    const madeFrom = (origin: string, by = token) => idsIn(by, `/v1/profiles?made_from=${origin}`);
    expect(await madeFrom(id)).to.deep.equal([second, first]);
    expect(await madeFrom(first)).to.deep.equal([ofFirst]);
    expect(await madeFrom(snapshot)).to.deep.equal([restored]);
    const page = await call(token, `GET /v1/profiles?made_from=${id}&limit=1`);
    const next = `${id}&limit=1&cursor=${String(page.json.next_cursor)}`;
    expect([dataOf<{ id: string }>(page)[0]?.id, ...(await madeFrom(next))]).to.deep.equal([second, first]);
    await call(token, `DELETE /v1/profiles/${second}`);
    expect(await madeFrom(id)).to.deep.equal([first]);
    const unknown = toId('profileSnapshot', uuidOf(id));
    expect([await madeFrom(unknown), await madeFrom(id, other.token)]).to.deep.equal([[], []]);
  });

  it('are not listed by anything else than the id of a profile or of a snapshot', async () => {
    const { token, accountId } = await person();
    for (const malformed of [
      'none',
      uuidOf(accountId),
      accountId,
      `${toId('profile', uuidOf(accountId))}0`,
    ]) {
      const { status, json } = await call(token, `GET /v1/profiles?made_from=${malformed}`);
      const message = 'made_from must be prof_<uuid> or psnap_<uuid>.';
      const errors = [{ path: '/query/made_from', code: 'pattern', message }];
      expect({ status, errors: json.errors }, malformed).to.deep.equal({ status: 400, errors });
    }
  });

  it('in the trash are listed there, with when they are purged, and nowhere else', async () => {
    const { token } = await person();
    const id = await made(token, 'tossed');
    await call(token, `DELETE /v1/profiles/${id}`);
    const trashed_at = clock.now().toISOString();
    const purge_at = new Date(clock.now().getTime() + 30 * dayMs).toISOString();
    const [listed] = dataOf(await call(token, 'GET /v1/profiles/trash'));
    expect(listed).to.include({ id, name: 'tossed', trashed_at, purge_at });
    expect(await idsIn(token, '/v1/profiles')).to.deep.equal([]);
    expect(outcomeOf(await call(token, `GET /v1/profiles/${id}`))).to.equal('not-found');
    await call(token, `POST /v1/profiles/${id}/restore`);
    expect(await idsIn(token, '/v1/profiles')).to.deep.equal([id]);
    expect(await idsIn(token, '/v1/profiles/trash')).to.deep.equal([]);
  });

  it('of another account are not found', async () => {
    const [mine, theirs] = [await person(), await person()];
    const id = await made(theirs.token, 'theirs');
    await captured(theirs.token, id);
    for (const each of [id, uuidOf(id), toId('profile', uuidOf(mine.accountId)), 'none'])
      for (const path of ['', '/snapshots', '/snapshots?limit=101', '/snapshots?cursor=x'].map(
        (below) => `/v1/profiles/${each}${below}`,
      ))
        expect(outcomeOf(await call(mine.token, `GET ${path}`)), path).to.equal('not-found');
    for (const path of ['/v1/profiles', '/v1/profiles/trash', '/v1/profile-snapshots'])
      expect(await idsIn(mine.token, path)).to.deep.equal([]);
  });

  it('are frozen as they were called, whatever they are called later', async () => {
    const { token } = await person();
    const id = await made(token, 'before');
    const body = { label: 'milestone', description: 'v1' };
    const { status, json } = await call(token, `POST /v1/profiles/${id}/snapshots`, body);
    expect(status).to.equal(201);
    const profile = (await call(token, `GET /v1/profiles/${id}`)).json;
    const snapshot = {
      id: json.id,
      label: 'milestone',
      description: 'v1',
      parent_archetype: profile.archetype,
      parent_name: 'before',
      parent_profile_id: id,
      captured_at: clock.now().toISOString(),
      state_blob: '',
    };
    expect(json).to.deep.equal(snapshot);
    await call(token, `PATCH /v1/profiles/${id}`, { name: 'after' });
    const other = await made(token, 'other');
    await captured(token, other);
    expect(dataOf(await call(token, `GET /v1/profiles/${uuidOf(id)}/snapshots`))).to.deep.equal([snapshot]);
    expect(await idsIn(token, '/v1/profile-snapshots')).to.have.length(2);
  });

  it('are restored from a snapshot as new profiles', async () => {
    const { token } = await person();
    const id = await made(token, 'original');
    const snapshot = await captured(token, id);
    const restore = (name: string) => call(token, `POST /v1/profile-snapshots/${snapshot}/restore`, { name });
    const { status, json } = await restore('again');
    expect(status).to.equal(201);
    expect(json).to.include({ name: 'again', restored_from_snapshot: snapshot, save_state: 'none' });
    expect(json.id).not.to.equal(id);
    expect(outcomeOf(await restore('ORIGINAL'))).to.equal('conflict');
    expect((await call(token, `GET /v1/profiles/${id}`)).json).to.include({ name: 'original' });
  });

  it('restored from a snapshot count towards the tier', async () => {
    const { token } = await person({ tier: 'free' });
    const id = await made(token, 'only');
    const snapshot = await captured(token, id);
    const answer = await call(token, `POST /v1/profile-snapshots/${snapshot}/restore`, { name: 'more' });
    expect([answer.status, outcomeOf(answer)]).to.deep.equal([429, 'tier-limit']);
  });

  it('have fifty snapshots each at most; deleting one makes room', async () => {
    const { token } = await person();
    const id = await made(token, 'often');
    const ids = [];
    for (let n = 0; n < 50; n += 1) ids.push(await captured(token, id, `number ${n}`));
    const path = `POST /v1/profiles/${id}/snapshots`;
    const refused = await call(token, path, { label: 'one more' });
    expect([refused.status, outcomeOf(refused)]).to.deep.equal([429, 'tier-limit']);
    await captured(token, await made(token, 'another'));
    const [first = ''] = ids;
    expect((await call(token, `DELETE /v1/profile-snapshots/${first}`)).status).to.equal(204);
    expect((await call(token, `DELETE /v1/profile-snapshots/${first}`)).status).to.equal(204);
    const other = await person();
    expect(outcomeOf(await call(other.token, `DELETE /v1/profile-snapshots/${first}`))).to.equal('not-found');
    await captured(token, id);
    expect(await idsIn(token, `/v1/profiles/${id}/snapshots?limit=100`)).to.have.length(50);
  });

  it('when purged are forgotten by their snapshots, and their key is destroyed', async () => {
    const { token } = await person();
    const id = await made(token, 'doomed');
    const snapshot = await captured(token, id);
    const sealed = await service().vault.seal(id, 'state key', 'secret');
    await call(token, `DELETE /v1/profiles/${id}`);
    const parents = async () =>
      dataOf(await call(token, 'GET /v1/profile-snapshots')).map(
        ({ parent_profile_id }) => parent_profile_id,
      );
    const names = async () => {
      const { names: called } = (await call(token, 'GET /v1/account/audit-log')).json;
      return (called as Readonly<Record<string, string>>)[id];
    };
    expect([await parents(), await names()]).to.deep.equal([[id], 'doomed']);
    expect((await call(token, `DELETE /v1/profiles/${id}/purge`)).status).to.equal(204);
    await finishPurgeOf(id);
    await finishPurgeOf(id);
    await service().caughtUp();
    expect([await parents(), await names()]).to.deep.equal([[null], undefined]);
    expect(await service().vault.open(id, 'state key', sealed)).to.deep.equal({ erased: true });
    expect(await idsIn(token, '/v1/profiles/trash')).to.deep.equal([]);
    const again = await call(token, `POST /v1/profile-snapshots/${snapshot}/restore`, { name: 'doomed' });
    expect(again.status).to.equal(201);
  });

  it('are read by members of the team and changed by its admins', async () => {
    const [owner, member, admin] = [await person(), await person(), await person()];
    await join(service(), owner, member, 'member');
    await join(service(), owner, admin, 'admin');
    const headers = { 'X-Service-Account': owner.accountId };
    const create = ({ token }: Person, name: string) => call(token, 'POST /v1/profiles', { name }, headers);
    expect(outcomeOf(await create(member, 'no'))).to.equal('forbidden');
    const { status, json } = await create(admin, 'shared');
    expect(status).to.equal(201);
    const listed = await call(member.token, 'GET /v1/profiles', undefined, headers);
    expect(dataOf<{ id: string }>(listed).map(({ id }) => id)).to.deep.equal([json.id]);
    expect(await idsIn(owner.token, '/v1/profiles')).to.deep.equal([json.id]);
  });
});
