import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { uuidOf, type NodeId } from '../../contracts/ids.ts';
import { createNodeVideos } from '../../infra/fleet/control-plane/video.ts';
import { readAdmission } from '../../infra/fleet/video/token.ts';
import type { CallOptions } from '../../infra/http/testing.ts';
import { slugOf } from '../testing/agent-client.ts';
import { aPerson, join, type Person } from '../testing/team.ts';
import { startWriteSide, type WriteSide } from '../testing.ts';

const registered = {
  ws_url: 'wss://video.example',
  api_key: 'replaced by the id of the node',
  api_secret: 'a-secret-of-the-node-that-is-long-enough',
};

describe('what was made with an API key to watch or control a browser', () => {
  let side: WriteSide;
  let owner: Person;
  before(async () => {
    side = await startWriteSide({ video: registered });
    const { rows } = await side.pool.query<{ node_id: NodeId }>('select node_id from ephemeral.nodes');
    for (const { node_id: node } of rows)
      await createNodeVideos(side).keep(node, { ...registered, api_key: node });
  });
  after(() => side.close());
  beforeEach(async () => {
    owner = await aPerson(side, { tier: 'agency' });
  });

  const ask = async (target: string, token: string, body?: object) => {
    const { status, json } = await side.call(target, { token, ...(body && { body }) });
    expect(status, target).to.be.within(200, 201);
    return json;
  };
  const newKey = (call: CallOptions = { token: owner.token }) =>
    side.call('POST /v1/api-keys', { ...call, body: { name: 'a key', scopes: ['read', 'write'] } });
  const open = (link: unknown) => side.call('POST /v1/agent-session-links/open', { body: { token: link } });
  const tokenIn = (json: Record<string, unknown>) => (json.video as { token: string }).token;

  /** One of each kind, all for browsers that run. */
  async function made(by: string) {
    const { id: browser } = await ask('POST /v1/sessions', by, {});
    const agent = await ask('POST /v1/agent-sessions', by, { service_session_id: browser });
    const path = `/v1/agent-sessions/${String(agent.id)}`;
    const link = (await ask(`POST ${path}/links`, by, { right: 'control' })).token;
    const tokens = [
      tokenIn(agent),
      (await ask(`POST ${path}/video-token`, by)).token,
      (await ask(`GET ${path}/gui-control-key`, by)).key,
      (await ask(`POST /v1/sessions/${String(browser)}/video-token`, by)).token,
      tokenIn((await open(link)).json),
    ];
    return { link, tokens };
  }

  /** Statuses of `join` and `stay` with each token, and of opening the link. */
  async function outcomes({ link, tokens }: Awaited<ReturnType<typeof made>>) {
    const asked = tokens.flatMap((token) =>
      ['join', 'stay'].map((what) => side.call(`POST /internal/video/${what}`, { body: { token } })),
    );
    return new Set((await Promise.all([...asked, open(link)])).map(({ status }) => status));
  }

  it('ends with that key, unlike what was made with another one or after a sign-in', async () => {
    const { json: key } = await newKey();
    const { accessToken } = await side.staff.session(owner.accountId);
    const theirs = await made(String(key.key));
    const others = [await made(owner.token), await made(accessToken)];
    for (const each of [theirs, ...others]) expect(await outcomes(each)).to.deep.equal(new Set([200]));
    await side.call(`DELETE /v1/api-keys/${String(key.id)}`, { token: owner.token });
    expect(await outcomes(theirs)).to.deep.equal(new Set([401]));
    expect(slugOf(await open(theirs.link))).to.equal('invalid-auth-token');
    for (const each of others) expect(await outcomes(each)).to.deep.equal(new Set([200]));
  });

  it('admits to the node as the person with that key', async () => {
    const { json: key } = await newKey();
    const { accessToken } = await side.staff.session(owner.accountId);
    const admittedBy = async (by: string) => {
      const [, token] = (await made(by)).tokens;
      const joined = await side.call('POST /internal/video/join', { body: { token } });
      const admission = String(joined.json.token);
      const signing = { ...registered, api_key: String(decodeJwt(admission).iss) };
      const { participant } = (await readAdmission(admission, signing)) ?? {};
      return [participant?.identity, participant?.apiKeyId];
    };
    const identity = `customer-${uuidOf(owner.accountId)}`;
    expect(await admittedBy(String(key.key))).to.deep.equal([identity, key.id]);
    expect(await admittedBy(accessToken)).to.deep.equal([identity, undefined]);
  });

  it('ends with the removal of the admin who created the key, if that revokes it', async () => {
    const admin = await aPerson(side);
    const { membership_id: membership } = await join(side, owner, admin, 'admin');
    const headers = { 'X-Service-Account': owner.accountId };
    const { json: key } = await newKey({ token: admin.token, headers });
    const theirs = await made(String(key.key));
    expect(await outcomes(theirs)).to.deep.equal(new Set([200]));
    const removal = `DELETE /v1/team/members/${String(membership)}?keys=revoke`;
    expect((await side.call(removal, { token: owner.token })).status).to.equal(204);
    expect(await outcomes(theirs)).to.deep.equal(new Set([401]));
  });
});
