import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { toId, uuidOf } from '../../contracts/ids.ts';
import type { AgentSession } from '../../contracts/resources/agent-session.ts';
import { movableClock, startWriteSide, type WriteSide } from '../testing.ts';
import { agentClient, slugOf, type AgentClient } from '../testing/agent-client.ts';

describe('POST /v1/agent-sessions', () => {
  const clock = movableClock();
  let side: WriteSide;
  let client: AgentClient;
  let account: Awaited<ReturnType<WriteSide['staff']['account']>>;
  before(async () => {
    side = await startWriteSide({ clock });
  });
  after(() => side.close());
  beforeEach(async () => {
    account = await side.staff.account('enterprise');
    client = agentClient(side, account);
  });

  const ofTier = async (tier: 'free' | 'personal' | 'team') =>
    agentClient(side, await side.staff.account(tier));
  const driverSession = async () => String((await client.call('POST /v1/sessions', {})).json.id);

  it('opens one without a body: active, in ai mode, with the newest model and the deployment’s budget', async () => {
    const { status, json } = await client.create();
    expect(status).to.equal(201);
    expect(json.id).to.match(/^agt_/);
    const { id: _, created_at, updated_at, ...body } = json;
    expect(updated_at).to.equal(created_at);
    expect(body).to.deep.equal({
      account_id: uuidOf(account.accountId),
      created_by_user_id: uuidOf(account.accountId),
      service_session_id: null,
      ...{ status: 'active', closed_reason: null, closed_at: null },
      ...{ token_budget_total: 100_000, token_budget_remaining: 100_000, transcript_length: 0 },
      ...{ mode: 'ai', model: 'claude-fable-5-2', pair_mode_state: null, error_event: null },
    });
  });
  it('takes a mode, an older model and a budget', async () => {
    const { json } = await client.create({ mode: 'pair', model: 'claude-haiku-5-5', token_budget: 500 });
    expect(json).to.deep.include({
      ...{ mode: 'pair', model: 'claude-haiku-5-5', token_budget_total: 500 },
      pair_mode_state: { kind: 'ai-driving' },
    });
  });
  it('starts no browser', async () => {
    const { json } = await client.create({ initial_url: 'http://sim.test/' });
    const requested = (await side.allEvents()).filter(
      ({ type, metadata }) => type === 'SessionRequested' && metadata.actor.account_id === account.accountId,
    );
    expect([json.service_session_id, requested]).to.deep.equal([null, []]);
  });
  it('records its mode, and whose credential it was', async () => {
    const { json } = await client.create({ mode: 'manual' });
    const [created] = await client.events(json.id);
    expect(created?.data).to.deep.include({ mode: 'manual', createdBy: account.accountId });
  });
  it('keeps where the conversation starts out of the log', async () => {
    const geolocation = { latitude: 12.34567, longitude: -45.6789 };
    const { json } = await client.create({ initial_url: 'http://sim.test/canary-7', geolocation });
    const log = JSON.stringify((await client.events(json.id)).map(({ data }) => data));
    expect(log).not.to.match(/canary-7|12\.345|45\.678/);
    const [created] = await client.events(json.id);
    const { sealedStart } = created?.data as { sealedStart: string };
    const opened = await side.vault.open(account.accountId, `agent start ${String(json.id)}`, sealedStart);
    expect('text' in opened && JSON.parse(opened.text)).to.deep.equal({
      initial_url: 'http://sim.test/canary-7',
      geolocation,
    });
  });

  describe('what is wrong with a request', () => {
    const refusals: readonly (readonly [string, object, string])[] = [
      ['a mode that there is not', { mode: 'auto' }, 'mode'],
      ['a model that the deployment does not take', { model: 'gpt-4' }, 'model'],
      ['a budget of nothing', { token_budget: 0 }, 'token_budget'],
      ['a file as its address', { initial_url: 'file:///etc/passwd' }, 'initial_url'],
      ['a script as its address', { initial_url: 'javascript:alert(1)' }, 'initial_url'],
      ['data as its address', { initial_url: 'data:text/html,x' }, 'initial_url'],
      ['no page as its address', { initial_url: 'about:blank' }, 'initial_url'],
      ['an address that is none', { initial_url: 'not an address' }, 'initial_url'],
      ['an address that is not public', { initial_url: 'http://169.254.169.254/' }, 'initial_url'],
      ['a latitude out of range', { geolocation: { latitude: 91, longitude: 0 } }, 'geolocation'],
      ['half a place', { geolocation: { latitude: 1 } }, 'geolocation'],
    ];
    for (const [what, body, field] of refusals) {
      it(`is refused as invalid: ${what}`, async () => {
        const answer = await client.create(body);
        expect([answer.status, slugOf(answer)], answer.text).to.deep.equal([400, 'validation-failed']);
        expect(JSON.stringify(answer.json.errors)).to.contain(`/body/${field}`);
      });
    }
    it('is what says how to start a session, beside one that runs already', async () => {
      const service_session_id = await driverSession();
      const geolocation = { latitude: 1, longitude: 1 };
      const answer = await client.create({ service_session_id, geolocation });
      expect([answer.status, slugOf(answer)]).to.deep.equal([400, 'validation-failed']);
      expect(answer.json.detail).to.contain('with service_session_id');
    });
  });

  describe('what it names', () => {
    const profile = async (of = client) =>
      String((await of.call('POST /v1/profiles', { name: uuidv7() })).json.id);

    it('is the caller’s own, or is not found', async () => {
      const stranger = await ofTier('team');
      const theirs = String((await stranger.call('POST /v1/sessions', {})).json.id);
      const bodies = [
        { service_session_id: theirs },
        { service_session_id: toId('session', uuidv7()) },
        { service_session_id: 'ses_nonsense' },
        { profile_id: await profile(stranger) },
        { profile_id: 'prof_nonsense' },
        { proxy_id: uuidv7() },
      ];
      for (const body of bodies)
        expect((await client.create(body)).status, JSON.stringify(body)).to.equal(404);
    });
    it('may be a profile by its id, with or without the prefix', async () => {
      const id = await profile();
      for (const profile_id of [id, uuidOf(id)]) {
        const { json } = await client.create({ profile_id });
        expect((await client.events(json.id))[0]?.data).to.include({ profileId: id });
      }
    });
    it('is a profile that no session has', async () => {
      const profile_id = await profile();
      const { json } = await client.call('POST /v1/sessions', { profile_id });
      const answer = await client.create({ profile_id });
      expect([answer.status, slugOf(answer)]).to.deep.equal([409, 'profile-in-use']);
      expect(answer.json.active_session_id).to.equal(json.id);
      await client.call(`DELETE /v1/sessions/${String(json.id)}`);
      expect((await client.create({ profile_id })).status).to.equal(201);
    });
    it('may be a saved proxy', async () => {
      const saved = { label: 'home', scheme: 'http', host: 'proxy.example', port: 3128 };
      const proxy_id = (await client.call('POST /v1/account/me/proxies', saved)).json.id;
      const { json } = await client.create({ proxy_id });
      expect((await client.events(json.id))[0]?.data).to.include({ proxyId: proxy_id });
    });
  });

  describe('a driver session that it is given', () => {
    it('is shown, and held by this one alone until it is closed', async () => {
      const service_session_id = await driverSession();
      const first = await client.create({ service_session_id });
      expect(first.json.service_session_id).to.equal(service_session_id);
      const second = await client.create({ service_session_id });
      expect([second.status, slugOf(second)]).to.deep.equal([409, 'conflict']);
      await client.close(first.json.id);
      expect((await client.create({ service_session_id })).status).to.equal(201);
    });
    it('goes to exactly one of several at the same time', async () => {
      const service_session_id = await driverSession();
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => client.create({ service_session_id })),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).to.deep.equal([201, ...Array.from({ length: 7 }, () => 409)]);
    });
    it('has not ended', async () => {
      const service_session_id = await driverSession();
      await client.call(`DELETE /v1/sessions/${service_session_id}`);
      const answer = await client.create({ service_session_id });
      expect([answer.status, slugOf(answer)]).to.deep.equal([410, 'session-destroyed']);
    });
  });

  describe('the tier of the account', () => {
    it('has agents from team on: without them there is manual mode', async () => {
      for (const tier of ['free', 'personal'] as const) {
        const without = await ofTier(tier);
        for (const body of [undefined, { mode: 'ai' }, { mode: 'pair' }]) {
          const answer = await without.create(body);
          expect([answer.status, slugOf(answer)]).to.deep.equal([403, 'forbidden']);
        }
        expect((await without.create({ mode: 'manual' })).status).to.equal(201);
      }
      expect((await (await ofTier('team')).create()).status).to.equal(201);
    });
    it('is looked at after what is not found and what is invalid, and before the state', async () => {
      const without = await ofTier('personal');
      expect((await without.create({ profile_id: 'prof_nonsense', model: 'gpt-4' })).status).to.equal(404);
      expect((await without.create({ model: 'gpt-4' })).status).to.equal(400);
      const service_session_id = String((await without.call('POST /v1/sessions', {})).json.id);
      await without.call(`DELETE /v1/sessions/${service_session_id}`);
      expect((await without.create({ service_session_id })).status).to.equal(403);
      expect((await without.create({ service_session_id, mode: 'manual' })).status).to.equal(410);
    });
  });

  it('takes broad write, which no granular scope stands for', async () => {
    for (const scope of ['read', 'write:sessions'] as const) {
      const token = await side.staff.token(account.accountId, [scope]);
      expect((await agentClient(side, { ...account, token }).create()).status).to.equal(403);
    }
  });

  describe('under an idempotency key', () => {
    it('is opened once, and answered the same byte for byte', async () => {
      const first = await client.create({ mode: 'pair' }, 'one');
      const again = await client.create({ mode: 'pair' }, 'one');
      expect([first.status, again.status, again.text]).to.deep.equal([201, 201, first.text]);
      expect(again.headers['idempotency-replayed']).to.equal('true');
      expect((await client.create({ mode: 'ai' }, 'one')).status).to.equal(409);
    });
    it('leaves the key free when it was refused as invalid or by the tier', async () => {
      const without = await ofTier('personal');
      expect((await without.create({ mode: 'ai' }, 'k')).status).to.equal(403);
      expect((await without.create({ mode: 'manual' }, 'k')).status).to.equal(201);
    });
    it('keeps a refusal that rests on the state', async () => {
      const service_session_id = await driverSession();
      const holder = await client.create({ service_session_id });
      expect((await client.create({ service_session_id }, 'held')).status).to.equal(409);
      await client.close(holder.json.id);
      const again = await client.create({ service_session_id }, 'held');
      expect([again.status, again.headers['idempotency-replayed']]).to.deep.equal([409, 'true']);
    });
  });
});

describe('the video of an agent session', () => {
  const secret = 'canary-secret-of-a-node';
  let side: WriteSide;
  before(async () => {
    const video = { ws_url: 'wss://video.example', api_key: 'a-node', api_secret: secret };
    side = await startWriteSide({ video });
  });
  after(() => side.close());

  it('comes with the answer to its create, the same each time, and is kept nowhere', async () => {
    const client = agentClient(side, await side.staff.account('team'));
    const first = await client.create({}, 'video');
    const { id, video } = first.json as unknown as AgentSession;
    expect(video).to.include({ ws_url: 'wss://video.example', room: id });
    expect((await client.create({}, 'video')).text).to.equal(first.text);
    expect((await client.create({})).json.video).to.be.an('object');
    const refused = await client.create({ model: 'gpt-4' });
    expect(refused.json).not.to.have.property('video');
    const log = JSON.stringify((await side.allEvents()).map(({ data }) => data));
    expect(log).not.to.contain(video?.token).and.not.to.contain(secret);
  });
});
