import { expect } from 'chai';
import { createRunner } from '../../commands/engine/runner.ts';
import { uuidOf } from '../../contracts/ids.ts';
import { sameName } from '../../domain/kit/quota.ts';
import { profile } from '../../domain/profile/profile.ts';
import { accountProfiles } from '../../domain/profile/quota.ts';
import { sealedStore } from '../../infra/personal/sealed-store.ts';
import { outcomeOf } from '../../infra/http/testing.ts';
import { gate, type Gate } from '../../infra/verification/testbed/index.ts';
import pino from 'pino';
import { startWriteSide, type WriteSide } from '../testing.ts';
import { exportedProfile, imported } from '../testing/exported-profile.ts';

const rounds = 25;

describe('requests about profiles that race in two processes', () => {
  let side: WriteSide;
  let other: Awaited<ReturnType<WriteSide['serve']>>;
  let releases: Gate | undefined;
  before(async () => {
    side = await startWriteSide({
      throughStore: (store) => ({
        ...store,
        append: async (stream, expected, events) => {
          if (events.some(({ type }) => type === 'ProfileQuotaReleased')) await releases?.pass();
          return store.append(stream, expected, events);
        },
      }),
    });
    other = await side.serve();
  });
  after(async () => {
    await other.close();
    await side.close();
  });

  /** The account's active profiles and reservations, as read by a new process. */
  async function found(accountId: string, ids: readonly string[]) {
    const store = sealedStore(side.store, side.vault);
    const runner = createRunner({ store, logger: pino({ level: 'silent' }), cacheEntries: 10 });
    const states = await Promise.all(ids.map((id) => runner.load(profile, uuidOf(id))));
    const active = states.flatMap(({ state }) => (state.status === 'active' ? [state] : []));
    const { state } = await runner.load(accountProfiles, uuidOf(accountId));
    return { active, reservations: state.reservations };
  }

  it('never leave more profiles than the tier allows, nor one that has not reserved its name', async () => {
    const { token, accountId } = await side.staff.account('free');
    const first = await side.call('POST /v1/profiles', { token, body: { name: 'Work' } });
    const ids = [String(first.json.id)];
    for (let round = 0; round < rounds; round += 1) {
      const asked = ids
        .slice(-3)
        .flatMap((id) => [
          side.call(`DELETE /v1/profiles/${id}`, { token }),
          other.call(`POST /v1/profiles/${id}/restore`, { token }),
          other.call(`DELETE /v1/profiles/${id}`, { token }),
          side.call(`PATCH /v1/profiles/${id}`, { token, body: { name: `Work ${round % 3}` } }),
          other.call(`PATCH /v1/profiles/${id}`, { token, body: { name: `Work ${(round + 1) % 3}` } }),
        ]);
      const [made, ...others] = await Promise.all([
        side.call('POST /v1/profiles', { token, body: { name: `Work ${round % 3}` } }),
        ...asked,
      ]);
      if (made.status === 201) ids.push(String(made.json.id));
      for (const { status, text } of others) expect(status, text).to.be.below(500);
      const { active, reservations } = await found(accountId, ids);
      expect(active.length, `after round ${round}`).to.be.at.most(1);
      for (const { profileId, name } of active) {
        const own = reservations.find(({ id }) => id === profileId);
        expect(
          own?.names.some((each) => sameName(each, name)),
          `${name} in ${JSON.stringify(own)}`,
        ).to.equal(true);
      }
    }
    expect(ids.length).to.be.above(1);
  });

  it('keep the name of a profile that is restored before its deletion has released the name', async () => {
    const { token, accountId } = await side.staff.account('free');
    const made = await side.call('POST /v1/profiles', { token, body: { name: 'Work' } });
    const id = String(made.json.id);
    releases = gate();
    const deleted = side.call(`DELETE /v1/profiles/${id}`, { token });
    await releases.reached;
    const restored = await other.call(`POST /v1/profiles/${id}/restore`, { token });
    releases.open();
    expect([(await deleted).status, restored.status]).to.deep.equal([204, 200]);
    const { active, reservations } = await found(accountId, [id]);
    expect(active.map(({ name }) => name)).to.deep.equal(['Work']);
    expect(reservations.map(({ names }) => names)).to.deep.equal([['Work']]);
  });

  it('give a profile to one account, and its name to it alone', async () => {
    const [source, target] = [await side.staff.account('team'), await side.staff.account('free')];
    const made = await side.call('POST /v1/profiles', { token: source.token, body: { name: 'Gift' } });
    const id = String(made.json.id);
    const body = { to_account_id: target.accountId };
    await side.call(`POST /v1/profiles/${id}/transfer`, { token: source.token, body });
    const [taken, again, own] = await Promise.all([
      side.call(`POST /v1/profiles/${id}/transfer/accept`, { token: target.token }),
      other.call(`POST /v1/profiles/${id}/transfer/accept`, { token: target.token }),
      side.call('POST /v1/profiles', { token: target.token, body: { name: 'gift' } }),
      other.call(`DELETE /v1/profiles/${id}`, { token: source.token }),
    ]);
    for (const { status, text } of [taken, again, own]) expect(status, text).to.be.below(500);
    const ids = own.status === 201 ? [id, String(own.json.id)] : [id];
    const { active, reservations } = await found(target.accountId, ids);
    const held = active.filter(({ accountId }) => accountId === target.accountId);
    expect(held.length).to.be.at.most(1);
    for (const { profileId } of held) expect(reservations.map((each) => each.id)).to.deep.equal([profileId]);
  });

  describe('and read a state that another one replaces', () => {
    let data: string;
    before(async () => {
      data = await exportedProfile(1000);
    });

    /** Begins to read the state of a profile; `reads`: the read that waits until the state is replaced, and its blob deleted. */
    async function overtaken(what: 'trim' | 'export', reads: number) {
      const { token } = await side.staff.account('team');
      const id = await imported(side, token, data);
      const [replaced = ''] = [...side.blobs.stored.keys()].filter((key) => key.startsWith(uuidOf(id)));
      const { get } = side.blobs;
      const waiting = gate();
      let read = 0;
      side.blobs.get = async (key) => {
        read += 1;
        if (read === reads) await waiting.pass();
        return get(key);
      };
      try {
        const late = side.call(`POST /v1/profiles/${id}/${what}`, { token });
        await waiting.reached;
        const first = await other.call(`POST /v1/profiles/${id}/trim`, { token });
        expect(first.status, first.text).to.equal(200);
        // As the reaction to the event does.
        await side.blobs.delete(replaced);
        waiting.open();
        return { late: await late, again: () => side.call(`POST /v1/profiles/${id}/${what}`, { token }) };
      } finally {
        side.blobs.get = get;
      }
    }

    for (const [what, reads] of [
      ['trim', 2],
      ['export', 1],
    ] as const)
      it(`are refused, and can be repeated: ${what}`, async () => {
        const { late, again } = await overtaken(what, reads);
        expect([late.status, outcomeOf(late)]).to.deep.equal([409, 'conflict']);
        expect((await again()).status).to.equal(200);
      });
  });
});
