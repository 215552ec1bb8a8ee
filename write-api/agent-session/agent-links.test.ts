import { expect } from 'chai';
import { TokenVerifier } from 'livekit-server-sdk';
import { startWriteSide, type WriteSide } from '../testing.ts';
import { aPerson, join } from '../testing/team.ts';
import { agentClient, slugOf, type AgentClient } from '../testing/agent-client.ts';

const video = {
  ws_url: 'wss://video.example',
  api_key: 'node-key',
  api_secret: 'a-secret-of-the-node-that-is-long-enough',
};

describe('links to the live view of an agent session, over HTTP', () => {
  let side: WriteSide;
  let client: AgentClient;
  let agent: string;
  before(async () => {
    side = await startWriteSide({ video });
  });
  after(() => side.close());
  beforeEach(async () => {
    const account = await side.staff.account('agency');
    client = agentClient(side, account);
    agent = String((await client.create()).json.id);
  });

  const make = async (body: object = { right: 'watch' }) => client.on(agent, 'links', body);
  const open = (link: unknown) => side.call('POST /v1/agent-session-links/open', { body: { token: link } });
  const list = async () =>
    (await client.call(`GET /v1/agent-sessions/${agent}/links`)).json.data as Record<string, unknown>[];
  const revoke = (link: unknown) => client.call(`DELETE /v1/agent-sessions/${agent}/links/${String(link)}`);
  const claimsOf = ({ json }: Awaited<ReturnType<typeof open>>) =>
    new TokenVerifier(video.api_key, video.api_secret).verify((json.video as { token: string }).token);

  it('opens one room, with its right and under its own identity, without a sign-in', async () => {
    const made = await make({ right: 'control', ttl_seconds: 60 });
    expect(made.status).to.equal(201);
    const opened = await open(made.json.token);
    expect(opened.status).to.equal(200);
    expect(opened.json).to.include({ right: 'control', expires_at: made.json.expires_at });
    expect(opened.json.video).to.include({ room: agent, participant_identity: made.json.id });
    const claims = await claimsOf(opened);
    expect(claims.sub).to.equal(made.json.id);
    expect(claims.video).to.deep.equal({
      ...{ room: agent, roomJoin: true, canSubscribe: true, canPublish: false, canPublishData: true },
    });
    expect(Number(claims.exp) * 1000).to.be.at.most(Date.parse(String(made.json.expires_at)));
  });

  it('ends with the place on the team of the admin who made it', async () => {
    const [owner, admin] = await Promise.all([aPerson(side), aPerson(side)]);
    const { membership_id: membership } = await join(side, owner, admin, 'admin');
    const acting = { token: admin.token, headers: { 'X-Service-Account': owner.accountId } };
    const { json: theirs } = await side.call('POST /v1/agent-sessions', { ...acting, body: {} });
    const links = `POST /v1/agent-sessions/${String(theirs.id)}/links`;
    const { json: link } = await side.call(links, { ...acting, body: { right: 'control' } });
    expect((await open(link.token)).status).to.equal(200);
    await side.call(`DELETE /v1/team/members/${String(membership)}`, { token: owner.token });
    expect([(await open(link.token)).status, slugOf(await open(link.token))]).to.deep.equal([
      ...[401, 'invalid-auth-token'],
    ]);
  });

  it('to watch with give no right to send anything', async () => {
    const opened = await open((await make()).json.token);
    expect((await claimsOf(opened)).video?.canPublishData).to.equal(false);
  });

  it('is listed without its token, with how often it was opened, newest first', async () => {
    const [first, second] = [await make(), await make({ right: 'control' })];
    await open(first.json.token);
    await open(first.json.token);
    const links = await list();
    expect(links.map(({ id, uses }) => [id, uses])).to.deep.equal([
      [second.json.id, 0],
      [first.json.id, 2],
    ]);
    expect(JSON.stringify(links)).not.to.include('svc_');
  });

  it('opens nothing once it was taken back, nor once the session is closed', async () => {
    const [first, second] = [await make(), await make()];
    expect((await revoke(first.json.id)).status).to.equal(204);
    expect((await revoke(first.json.id)).status).to.equal(204);
    const refused = await open(first.json.token);
    expect([refused.status, slugOf(refused)]).to.deep.equal([401, 'invalid-auth-token']);
    expect((await open(second.json.token)).status).to.equal(200);
    await client.close(agent);
    expect((await open(second.json.token)).status).to.equal(401);
    expect(await list()).to.deep.equal([]);
    expect((await make()).status).to.equal(409);
    for (const { json } of [first, second]) expect((await revoke(json.id)).status).to.equal(204);
    expect((await revoke('lnk_0197f1a0-0000-7000-8000-000000000001')).status).to.equal(404);
  });

  it('is no invented token, and the refusal says nothing about it', async () => {
    const { json } = await make();
    const text = String(json.token);
    const changed = text.slice(0, -9) + (text.at(-9) === 'x' ? 'y' : 'x') + text.slice(-8);
    for (const wrong of ['x', changed, `${text}0`, text.replace('svc_once_', 'svc_live_')]) {
      const answer = await open(wrong);
      expect([answer.status, slugOf(answer)], wrong).to.deep.equal([401, 'invalid-auth-token']);
    }
  });

  it('is in the log and in the audit log when it is made, used and taken back; its token is nowhere', async () => {
    const { json } = await make();
    await open(json.token);
    await revoke(json.id);
    expect(await client.types(agent)).to.deep.equal([
      ...['AgentSessionCreated', 'LinkCreated', 'LinkUsed', 'LinkRevoked'],
    ]);
    expect(
      JSON.stringify(await client.events(agent), (_key, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      ),
    ).not.to.include(json.token);
  });

  it('is for as long as it was made for, within a day', async () => {
    for (const ttl_seconds of [9, 86_401, 0, -1, 1.5])
      expect((await make({ right: 'watch', ttl_seconds })).status, String(ttl_seconds)).to.equal(400);
    expect((await make({ right: 'drive' })).status).to.equal(400);
    const { json } = await make({ right: 'watch', ttl_seconds: 10 });
    expect(Date.parse(String(json.expires_at)) - Date.parse(String(json.created_at))).to.equal(10_000);
  });

  it('is one of twenty at most', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => make()));
    expect(new Set(made.map(({ status }) => status))).to.deep.equal(new Set([201]));
    const more = await make();
    expect([more.status, slugOf(more)]).to.deep.equal([429, 'tier-limit']);
    await revoke(made[0]?.json.id);
    expect((await make()).status).to.equal(201);
  });

  it('can be made, listed and revoked by no other account', async () => {
    const { json } = await make();
    const stranger = await side.staff.account('agency');
    const other = agentClient(side, stranger);
    expect((await other.on(agent, 'links', { right: 'watch' })).status).to.equal(404);
    expect((await other.call(`GET /v1/agent-sessions/${agent}/links`)).status).to.equal(404);
    expect((await other.call(`DELETE /v1/agent-sessions/${agent}/links/${String(json.id)}`)).status).to.equal(
      404,
    );
    expect((await open(json.token)).status).to.equal(200);
  });
});

describe('links where no node shows video', () => {
  it('are made, and open nothing', async () => {
    const side = await startWriteSide();
    try {
      const client = agentClient(side, await side.staff.account('agency'));
      const { id } = (await client.create()).json;
      const { json } = await client.on(id, 'links', { right: 'watch' });
      const opened = await side.call('POST /v1/agent-session-links/open', { body: { token: json.token } });
      expect([opened.status, slugOf(opened)]).to.deep.equal([503, 'feature-unavailable']);
      expect(await client.types(id)).to.deep.equal(['AgentSessionCreated', 'LinkCreated']);
    } finally {
      await side.close();
    }
  });
});
