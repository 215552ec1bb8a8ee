import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'chai';
import type { ProfileId, SessionId } from '../../../contracts/ids.ts';
import { noFaults } from '../../event-store/server/faults.ts';
import type { Answer } from '../../http/testing.ts';
import { until } from '../testbed/index.ts';
import { newClient, outcome, type Client } from './client.ts';
import { profilesOf, statesIn, type Profiles } from './profiles.ts';
import { world, type World } from './world.ts';

const inTime = { limitMs: 30_000, everyMs: 20 };
const slug = ({ json }: Answer) => String(json.type).split('/').at(-1);

describe('Profiles', () => {
  let here: World;
  let client: Client;
  let profiles: Profiles;
  before(async () => {
    here = await world();
    client = await newClient(here.stack, 'enterprise');
    profiles = profilesOf(client, here.typesIn);
  });
  afterEach(async () => {
    await here.stack.stores.eventStore.set(noFaults());
    await here.stack.heal();
    await here.stack.ready();
  });

  const stateOf = (id: ProfileId): string => {
    const [newest] = statesIn(here.stack.dataDir, id);
    if (newest === undefined) throw new Error(`${id} has no state.`);
    return newest;
  };
  const shown = async (id: ProfileId) => (await client.call(`GET /v1/profiles/${id}`)).json;
  const slotsInUse = async () => {
    const slots = await here.slotEventsOf(client);
    return slots.reduce((held, type) => held + ({ SlotReserved: 1, SlotReleased: -1 }[type] ?? 0), 0);
  };

  describe('whose stored state', () => {
    let id: ProfileId;
    let first: Buffer;
    let second: Buffer;
    let strangers: Buffer;
    before(async () => {
      id = await profiles.visited(1);
      first = readFileSync(stateOf(id));
      expect(await profiles.visitOnce(id)).to.equal(2);
      await until(() => statesIn(here.stack.dataDir, id).length === 1, inTime);
      second = readFileSync(stateOf(id));
      strangers = readFileSync(stateOf(await profiles.visited(2)));
    });

    const damages: Readonly<Record<string, (file: string) => void>> = {
      'was cut': (file) => writeFileSync(file, second.subarray(0, -1)),
      'was changed in one byte': (file) => {
        const changed = Buffer.from(second);
        changed.writeUInt8(changed.readUInt8(100) ^ 1, 100);
        writeFileSync(file, changed);
      },
      'is another profile’s': (file) => writeFileSync(file, strangers),
      'is that of the generation before': (file) => writeFileSync(file, first),
      'was deleted': (file) => rmSync(file),
    };
    for (const [what, damage] of Object.entries(damages)) {
      it(`${what} are not launched, stay as they were, and are free`, async () => {
        const file = stateOf(id);
        const [before, events] = [await shown(id), (await profiles.eventsOf(id)).length];
        damage(file);
        const refused = await profiles.launch(id);
        writeFileSync(file, second);
        expect([refused.status, slug(refused)], refused.text).to.deep.equal([502, 'driver-error']);
        expect((await profiles.eventsOf(id)).slice(events)).to.deep.equal([
          'ProfileBound',
          'ProfileReleased',
        ]);
        expect(await slotsInUse()).to.equal(0);
        const { save_state, storage_bytes } = before;
        expect(await shown(id)).to.include({ save_state, storage_bytes });
      });
    }

    it('is whole again are launched with all of it', async () => {
      expect(await profiles.visitOnce(id)).to.equal(3);
    });
  });

  it('keep the previous state when the directory cannot be written to, and report that to their owner', async () => {
    const id = await profiles.visited(1);
    const session = await profiles.launched(id);
    expect(await profiles.visit(session)).to.equal(2);
    const folder = dirname(stateOf(id));
    renameSync(folder, `${folder}.away`);
    writeFileSync(folder, '');
    await profiles.destroy(session);
    await profiles.ended(id, 'StateSaveFailed');
    rmSync(folder);
    renameSync(`${folder}.away`, folder);
    await until(async () => (await shown(id)).save_state === 'failed', inTime);
    expect(await shown(id)).to.include({ save_error: 'upload_failed' });
    await isAnnounced(session, 'upload_failed');
    expect(await profiles.visitOnce(id)).to.equal(2);
  });

  const isAnnounced = (session: SessionId, reason: string) =>
    until(async () => {
      const { json } = await client.call('GET /v1/events?limit=100');
      const events = json.data as { type: string; data: Record<string, unknown> }[];
      return events.find(
        ({ type, data }) =>
          type === 'session.profile_save_failed' && data.session_id === session && data.reason === reason,
      );
    }, inTime);

  it('are launched once by ten launches at once; the refusals of the others name the session', async () => {
    const id = await profiles.visited(1);
    const answers = await Promise.all(Array.from({ length: 10 }, () => profiles.launch(id)));
    const [won, ...more] = answers.filter(({ status }) => status === 201);
    expect(more).to.deep.equal([]);
    for (const lost of answers.filter((answer) => answer !== won)) {
      expect([lost.status, slug(lost)], lost.text).to.deep.equal([409, 'profile-in-use']);
      expect(lost.json.active_session_id).to.equal(won?.json.id);
    }
    await profiles.destroy(String(won?.json.id) as SessionId);
    expect(await profiles.visitOnce(id)).to.equal(2);
  });

  it('lose no visit when the end of their session races trims and launches', async () => {
    const id = await profiles.create();
    let session = await profiles.launched(id);
    for (let visits = 1; visits <= 6; visits += 1) {
      expect(await profiles.visit(session)).to.equal(visits);
      const trim = () => client.call(`POST /v1/profiles/${id}/trim`, {});
      const [ended, launch, ...trims] = await Promise.all([
        profiles.destroy(session),
        profiles.launch(id),
        trim(),
        trim(),
      ]);
      expect(ended.status).to.equal(204);
      for (const { status, text } of trims) expect(status, text).to.be.oneOf([200, 409]);
      expect(launch.status, launch.text).to.be.oneOf([201, 409]);
      session = launch.status === 201 ? (String(launch.json.id) as SessionId) : await profiles.launched(id);
    }
    await profiles.destroy(session);
  });

  it('are purged or launched when both are tried at once, and leave nothing once they are purged', async () => {
    for (let round = 1; round <= 4; round += 1) {
      const id = await profiles.visited(1);
      const trash = client.call(`DELETE /v1/profiles/${id}`);
      const purge = () => client.call(`DELETE /v1/profiles/${id}/purge`);
      const [trashed, launch, purged] = await Promise.all([trash, profiles.launch(id), purge()]);
      if (launch.status === 201) {
        expect([trashed.status, purged.status]).to.deep.equal([409, 409]);
        await profiles.destroy(String(launch.json.id) as SessionId);
        await profiles.ended(id, 'StateSaved');
        expect((await client.call(`DELETE /v1/profiles/${id}`)).status).to.equal(204);
      } else {
        expect([launch.status, trashed.status], launch.text).to.deep.equal([404, 204]);
      }
      if (purged.status !== 204) expect((await purge()).status).to.equal(204);
      expect((await profiles.launch(id)).status).to.equal(404);
      await until(() => !hasStates(id), inTime);
    }
    expect(await slotsInUse()).to.equal(0);
  });

  function hasStates(id: ProfileId): boolean {
    try {
      return statesIn(here.stack.dataDir, id).length > 0;
    } catch {
      return false;
    }
  }

  it('are saved once when write-api is killed between the blob and its event', async () => {
    const id = await profiles.visited(1);
    const session = await profiles.launched(id);
    expect(await profiles.visit(session)).to.equal(2);
    await here.stack.stores.eventStore.set({ dropType: 'StateSaved' });
    const ended = outcome(profiles.destroy(session));
    await until(() => statesIn(here.stack.dataDir, id).length === 2, inTime);
    await here.stack.kill('write-api');
    await here.stack.stores.eventStore.set(noFaults());
    await ended;
    await profiles.ended(id, 'StateSaved');
    expect(await savesOf(id)).to.equal(2);
    await here.stack.ready();
    expect(await profiles.visitOnce(id)).to.equal(3);
  });

  /** Three profiles whose page was visited once, and sessions of the first two that have visited it again. */
  async function three() {
    const { visited, launched, visit } = profiles;
    const [first, second, third] = [await visited(1), await visited(1), await visited(1)];
    const [ofFirst, ofSecond] = [await launched(first), await launched(second)];
    for (const session of [ofFirst, ofSecond]) expect(await visit(session)).to.equal(2);
    return { first, second, third, ofFirst, ofSecond };
  }

  it('recover from a kill of write-api before a node was told of an end, after a save, and in a launch', async () => {
    const { first: unsent, second: kept, third: launching, ...sessions } = await three();
    const { stack } = here;
    // The save is recorded, and its answer is lost.
    stack.link('write-api').blackhole('answers');
    const cutOff = [outcome(profiles.destroy(sessions.ofSecond))];
    await profiles.ended(kept, 'StateSaved');
    stack.link('node').blackhole('requests');
    cutOff.push(outcome(profiles.destroy(sessions.ofFirst)), outcome(profiles.launch(launching)));
    await profiles.ended(unsent, 'StateSaveStarted');
    await profiles.ended(launching, 'ProfileBound');
    await stack.kill('write-api');
    for (const link of ['node', 'write-api'] as const) stack.link(link).cut();
    await stack.heal();
    await stack.ready();
    for (const answer of await Promise.all(cutOff)) expect(answer).to.be.oneOf(['broken', 502, 503]);
    for (const id of [unsent, kept]) {
      await profiles.ended(id, 'StateSaved');
      expect(await savesOf(id)).to.equal(2);
      expect(await profiles.visitOnce(id)).to.equal(3);
    }
    await profiles.ended(launching, 'ProfileReleased');
    expect(await profiles.visitOnce(launching)).to.equal(2);
  });

  it('are as they were saved last when their node is killed, and accept no state after its lease', async () => {
    const { first: live, second: saving, third: launching, ...sessions } = await three();
    const { stack } = here;
    // Replies to heartbeats do not report the end of a session either.
    stack.link('write-api').blackhole('answers');
    stack.link('node').blackhole('requests');
    const ended = outcome(profiles.destroy(sessions.ofSecond));
    const launch = outcome(profiles.launch(launching));
    await profiles.ended(saving, 'StateSaveStarted');
    await profiles.ended(launching, 'ProfileBound');
    // From here on the node's messages reach the control plane only after the node is dead.
    stack.link('write-api').blackhole();
    await stack.link('node').heal();
    await until(() => here.reached(sessions.ofSecond, 'close') === 1, inTime);
    await stack.kill('node');
    await profiles.ended(saving, 'StateSaveFailed');
    await stack.heal();
    await ended;
    expect(await launch).to.be.oneOf([502, 503, 504, 'broken']);
    await isAnnounced(sessions.ofSecond, 'upload_failed');
    for (const id of [live, launching]) await profiles.ended(id, 'ProfileReleased');
    expect(await client.statusOf(sessions.ofFirst)).to.equal('errored');
    await until(async () => profiles.destroy(await client.create()), inTime);
    for (const id of [live, saving, launching]) expect(await profiles.visitOnce(id)).to.equal(2);
  });

  const savesOf = async (id: ProfileId) =>
    (await profiles.eventsOf(id)).filter((type) => type === 'StateSaved').length;
});
