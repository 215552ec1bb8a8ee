import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { TokenVerifier } from 'livekit-server-sdk';
import pino from 'pino';
import { createAgentVideo } from '../../commands/agent-session/video.ts';
import { load } from '../../commands/agent-session/find.ts';
import {
  toId,
  uuidOf,
  type AccountId,
  type AgentSessionId,
  type NodeId,
  type SessionId,
} from '../../contracts/ids.ts';
import { presentAgentSession } from '../../contracts/resources/agent-session.ts';
import { exists } from '../../domain/agent-session/state.ts';
import { createNodeVideos, type NodeVideo } from '../../infra/fleet/control-plane/video.ts';
import { systemClock } from '../../infra/platform/clock.ts';
import { decideOn, openAgentSession } from '../testing/agent-session.ts';
import { startWriteSide, type WriteSide } from '../testing.ts';

const ws_url = 'wss://video.example';
const registered = { ws_url, api_key: 'node-key', api_secret: 'a-secret-of-the-node-that-is-long-enough' };
const rotated = {
  ws_url: 'wss://new.example',
  api_key: 'second-key',
  api_secret: 'another-secret-of-the-node-to-sign',
};
const at = () => new Date().toISOString();

describe('video of an agent session', () => {
  let side: WriteSide;
  let token: string;
  let accountId: AccountId;
  let agent: AgentSessionId;
  let node: NodeId;
  let atFirst: NodeVideo | undefined;
  before(async () => {
    side = await startWriteSide({ video: registered });
    const { rows } = await side.pool.query<{ node_id: NodeId }>('select node_id from ephemeral.nodes');
    node = rows[0]?.node_id ?? toId('node', '');
    atFirst = await videos().find(node);
    ({ token, accountId } = await side.staff.account('agency'));
  });
  after(() => side.close());
  beforeEach(async () => {
    await videos().keep(node, registered);
    agent = await openAgentSession(side.staff, accountId);
  });

  const videos = () => createNodeVideos(side);
  const ask = (method: string, what: string, id: string = agent, as = token) =>
    side.call(`${method} /v1/agent-sessions/${id}/${what}`, { token: as });
  const videoToken = () => ask('POST', 'video-token');
  const controlKey = () => ask('GET', 'gui-control-key');
  const slug = ({ json }: { json: Record<string, unknown> }) => String(json.type).split('/').at(-1);
  const attached = async () => {
    const { json } = await side.call('POST /v1/sessions', { token, body: {} });
    return openAgentSession(side.staff, accountId, String(json.id) as SessionId);
  };

  it('is shown by what the node has registered with', () => {
    const { ws_url: wsUrl, ...keys } = registered;
    expect(atFirst).to.deep.equal({ wsUrl, ...keys });
  });

  it('is watched with a token that a LiveKit server takes, for a day and in the room of the session alone', async () => {
    const { status, json } = await videoToken();
    expect(status).to.equal(200);
    const identity = `customer-${uuidOf(accountId)}`;
    expect(json).to.include({ ws_url, room: agent, participant_identity: identity });
    const claims = await new TokenVerifier(registered.api_key, registered.api_secret).verify(
      String(json.token),
    );
    expect(claims).to.deep.include({ iss: registered.api_key, sub: identity });
    expect(claims.video).to.deep.equal({
      room: agent,
      roomJoin: true,
      canSubscribe: true,
      canPublish: false,
      canPublishData: true,
    });
    const { exp = 0, nbf = 0 } = claims as { exp?: number; nbf?: number };
    expect(exp - nbf).to.equal(24 * 3600);
    expect(Date.parse(String(json.expires_at))).to.equal(exp * 1000);
  });

  it('is watched with no token of another secret or another key', async () => {
    const { json } = await videoToken();
    for (const [key, secret] of [
      [registered.api_key, rotated.api_secret],
      [rotated.api_key, registered.api_secret],
    ] as const) {
      const verdict = await new TokenVerifier(key, secret).verify(String(json.token)).catch(() => 'refused');
      expect(verdict).to.equal('refused');
    }
  });

  it('is controlled with a key of its own, which says what it is for', async () => {
    const { status, json } = await controlKey();
    expect(status).to.equal(200);
    expect(json).to.include({ agent_session_id: agent, scope: 'gui_control', ws_url });
    const claims = await new TokenVerifier(registered.api_key, registered.api_secret).verify(
      String(json.key),
    );
    expect(claims).to.include({ scope: 'gui_control' });
    expect(claims.video).to.include({ room: agent, canPublishData: true, canPublish: false });
  });

  it('comes with the 201 of a creation, and with the same one again for its key', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const create = () => side.call('POST /v1/agent-sessions', { token, headers, body: {} });
    const [first, again] = [await create(), await create()];
    expect(first.status).to.equal(201);
    expect(first.json.video).to.include({ ws_url, room: first.json.id });
    expect(again.headers['idempotency-replayed']).to.equal('true');
    expect(again.text).to.equal(first.text);
    const read = await side.call(`POST /v1/agent-sessions/${String(first.json.id)}/mode`, {
      token,
      body: { mode: 'ai' },
    });
    expect(read.json).not.to.have.property('video');
  });

  it('comes with a replayed 201 as it came at first, whatever nodes show video by then', async () => {
    const created = async (shownAtFirst: typeof registered | undefined) => {
      const headers = { 'Idempotency-Key': randomUUID() };
      const create = () => side.call('POST /v1/agent-sessions', { token, headers, body: {} });
      await videos().keep(node, shownAtFirst);
      return { first: await create(), create };
    };
    const shown = await created(registered);
    const without = await created(undefined);
    expect(shown.first.json.video).to.include({ ws_url });
    expect(without.first.json).not.to.have.property('video');
    for (const now of [rotated, undefined]) {
      await videos().keep(node, now);
      for (const { first, create } of [shown, without]) expect((await create()).text).to.equal(first.text);
    }
    const logged = (await side.allEvents()).map(({ data }) => JSON.stringify(data)).join();
    expect(logged).not.to.contain((shown.first.json.video as { token: string }).token);
  });

  it('is refused unless the session is active', async () => {
    await decideOn(side.staff, agent, { type: 'Close', reason: 'customer-closed', at: at() });
    for (const answer of [await videoToken(), await controlKey()]) {
      expect([answer.status, slug(answer)]).to.deep.equal([403, 'forbidden']);
    }
  });

  it('is refused while the session is paused', async () => {
    agent = await attached();
    const { json } = await side.call(`POST /v1/agent-sessions/${agent}/video-token`, { token });
    expect(json.room).to.equal(agent);
    const [created] = await side.events(`agent_session-${uuidOf(agent)}`);
    const { attached: sessionId } = created?.data as { attached: SessionId };
    await decideOn(side.staff, agent, { type: 'Pause', sessionId, challengeId: 'chl_1', at: at() });
    expect((await videoToken()).status).to.equal(403);
  });

  it('is signed with what the node registered with last', async () => {
    await videos().keep(node, rotated);
    const { json } = await videoToken();
    expect(json.ws_url).to.equal(rotated.ws_url);
    await new TokenVerifier(rotated.api_key, rotated.api_secret).verify(String(json.token));
  });

  it('is not there where no node shows it', async () => {
    await videos().keep(node, undefined);
    for (const answer of [await videoToken(), await controlKey()])
      expect([answer.status, slug(answer)]).to.deep.equal([503, 'feature-unavailable']);
  });

  it('is that of the node which runs the browser, and of no other', async () => {
    agent = await attached();
    expect((await videoToken()).status).to.equal(200);
    await videos().keep(node, undefined);
    await videos().keep(toId('node', randomUUID()), rotated);
    expect((await videoToken()).status).to.equal(503);
  });

  it('is kept in clear nowhere, and is gone where its secret cannot be opened', async () => {
    const { rows } = await side.pool.query('select * from fleet.node_videos');
    expect(JSON.stringify(rows)).to.include(ws_url).and.not.include(registered.api_secret);
    await side.pool.query("update fleet.node_videos set sealed_keys = 'sealed1.bm9uZQ'");
    expect((await videoToken()).status).to.equal(503);
  });

  it('comes with the answer to a creation, the same each time, and the creation goes on where there is none', async () => {
    const state = await load(side.staff, agent);
    if (!exists(state)) throw new Error('There is no agent session.');
    const registry = { address: () => Promise.resolve(undefined) };
    const never = () => Promise.reject(new Error('Nobody joins.'));
    const ports = {
      runner: side.staff.runner,
      clock: systemClock,
      registry,
      starts: { start: never, assertStartable: never },
      roleOn: never,
      logger: pino({ level: 'silent' }),
    };
    const created = presentAgentSession(state);
    const { videoFor } = createAgentVideo({ ...ports, videos: videos() });
    const by = { keyId: null };
    const shown = await videoFor(created, by);
    expect(shown).to.include({ room: agent, ws_url });
    expect(Date.parse(shown?.expires_at ?? '') - Date.parse(created.created_at)).to.be.within(
      86_399_000,
      86_400_000,
    );
    expect(await videoFor(created, by)).to.deep.equal(shown);
    const broken = { find: () => Promise.reject(new Error('Postgres is away.')) };
    expect(await createAgentVideo({ ...ports, videos: broken }).videoFor(created, by)).to.equal(undefined);
  });
});
