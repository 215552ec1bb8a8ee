import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { ownedContext } from '../../commands/engine/context.ts';
import { add, newProfileId } from '../../commands/profile/add.ts';
import { census } from '../../commands/profile/testing.ts';
import { archetypeCatalogue } from '../../contracts/archetypes.ts';
import type { AccountId, ProfileId } from '../../contracts/ids.ts';
import { outcomeOf } from '../../infra/http/testing.ts';
import { newNoiseSeed } from '../../infra/keys/noise-seed.ts';
import { gate, until } from '../../infra/verification/testbed/index.ts';
import { startWriteSide, type WriteSide } from '../testing.ts';
import { exportedProfile, imported } from '../testing/exported-profile.ts';

describe('work on the states of profiles of many accounts', () => {
  let side: WriteSide;
  before(async () => {
    side = await startWriteSide();
  });
  after(() => side.close());

  const newToken = async () => (await side.staff.account('team')).token;

  it('is no more than four trims at the same time, one of each account; others may try again soon', async () => {
    const data = await exportedProfile(1000);
    const tokens = await Promise.all(Array.from({ length: 5 }, newToken));
    const ids = await Promise.all(tokens.map((token) => imported(side, token, data)));
    const [first = '', , , , last = ''] = tokens;
    const another = await imported(side, first, data, 'another');
    const trim = (token: string, id = '') => side.call(`POST /v1/profiles/${id}/trim`, { token });
    const { put } = side.blobs;
    const [storing, begun] = [gate(), new Set<string>()];
    side.blobs.put = async (key, content) => {
      begun.add(key);
      await storing.pass();
      return put(key, content);
    };
    try {
      const running = [trim(first, ids[0])];
      await until(() => begun.size === 1);
      const second = await trim(first, another);
      expect([second.status, outcomeOf(second)]).to.deep.equal([503, 'feature-unavailable']);
      expect(second.headers['retry-after']).to.equal('5');
      running.push(...tokens.slice(1, 4).map((token, at) => trim(token, ids[at + 1])));
      await until(() => begun.size === 4);
      expect(outcomeOf(await trim(last, ids[4]))).to.equal('feature-unavailable');
      storing.open();
      for (const { status, text } of await Promise.all(running)) expect(status, text).to.equal(200);
      expect((await trim(last, ids[4])).status).to.equal(200);
    } finally {
      side.blobs.put = put;
    }
  });

  /** The id of a new profile with a state that is larger than what the sockets on the way take. */
  async function withState(accountId: AccountId): Promise<ProfileId> {
    const context = side.staff.context();
    const id = newProfileId(ownedContext(context, accountId));
    const kept = await side.ports.states.keep(id, 1, Readable.from([Buffer.alloc(16 * 1024 * 1024)]));
    const about = { name: 'Mine', description: null, archetype: archetypeCatalogue.default };
    const given = { ...about, origin: { kind: 'imported' }, state: { ...kept, census: census(0) } } as const;
    await add({ ...side.ports, newNoiseSeed }, { accountId, tier: 'team', profileCap: 50 }, given, context);
    return id;
  }

  it('lets every account export while others do not read their exports', async () => {
    const begin = async (token: string, id: string) => {
      const to = { port: side.port, path: `/v1/profiles/${id}/export`, method: 'POST', agent: false };
      const sent = request({ ...to, headers: { authorization: `Bearer ${token}` } });
      sent.on('error', () => undefined).end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      expect(answer.statusCode).to.equal(200);
      return sent;
    };
    const unread = [];
    for (let account = 0; account < 4; account += 1) {
      const { token, accountId } = await side.staff.account('team');
      const id = await withState(accountId);
      unread.push(await begin(token, id), await begin(token, id));
    }
    const token = await newToken();
    const id = await imported(side, token, await exportedProfile(1000));
    const { status, text } = await side.call(`POST /v1/profiles/${id}/export`, { token });
    expect(status, text.slice(0, 500)).to.equal(200);
    unread.forEach((each) => each.destroy());
  });
});
