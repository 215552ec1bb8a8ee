import { expect } from 'chai';
import { uuidOf } from '../../contracts/ids.ts';
import { webSession } from '../../domain/web-session.ts';
import { needsEmbeddedStore, until } from '../../infra/verification/testbed/index.ts';
import { fixedClock, startWriteSide, type WriteSide } from '../testing.ts';

const slug = ({ json }: { json: Record<string, unknown> }) => String(json.type).split('/').at(-1);

describe('a web session on the write side', () => {
  const clock = fixedClock();
  let side: WriteSide;
  before(async () => {
    side = await startWriteSide({ clock });
  });
  after(() => side.close());
  const create = (token: string | null, headers = {}) =>
    side.call('POST /v1/sessions', { token, body: {}, headers });

  it('acts for its account, as a user', async () => {
    const { accountId } = await side.staff.account('team');
    const { accessToken } = await side.staff.session(accountId);
    const { status, json } = await create(accessToken);
    expect(status).to.equal(201);
    expect(json.account_id).to.equal(accountId);
    const [first] = await side.events(`session-${uuidOf(String(json.id))}`);
    expect(first?.metadata.actor).to.deep.equal({ kind: 'user', account_id: accountId });
  });

  it('may send its token as a cookie, from a page of ours', async () => {
    const { accountId } = await side.staff.account('team');
    const { accessToken } = await side.staff.session(accountId);
    const cookie = `__Host-service_session=${accessToken}`;
    expect((await create(null, { cookie })).status).to.equal(403);
    const origin = `http://127.0.0.1:${side.port}`;
    const headers = { cookie, origin, host: `127.0.0.1:${side.port}` };
    expect((await create(null, headers)).status).to.equal(201);
  });

  it('has the scopes it was opened with', async () => {
    const { accountId } = await side.staff.account('team');
    const { accessToken } = await side.staff.session(accountId, {
      kind: 'device',
      scopes: ['read:sessions', 'write:sessions'],
    });
    expect((await create(accessToken)).status).to.equal(201);
    const key = await side.call('POST /v1/api-keys', { token: accessToken, body: { name: 'no' } });
    expect([key.status, slug(key)]).to.deep.equal([403, 'forbidden']);
  });

  it('is refused from the moment its token expires', async () => {
    const { accountId } = await side.staff.account('agency');
    const { accessToken } = await side.staff.session(accountId);
    expect((await create(accessToken)).status).to.equal(201);
    clock.advance(900_000);
    const answer = await create(accessToken);
    expect([answer.status, slug(answer)]).to.deep.equal([401, 'expired-key']);
    expect(answer.headers['www-authenticate']).to.contain('invalid_token');
  });

  it('that ends anywhere is refused here', async () => {
    needsEmbeddedStore();
    const { accountId } = await side.staff.account('agency');
    const { accessToken, webSessionId } = await side.staff.session(accountId);
    expect((await create(accessToken)).status).to.equal(201);
    const end = { type: 'EndWebSession', reason: 'signed_out', at: clock.now().toISOString() } as const;
    await side.staff.runner.run(webSession, uuidOf(webSessionId), end, side.staff.context());
    await until(async () => (await create(accessToken)).status === 401);
    expect(slug(await create(accessToken))).to.equal('revoked-key');
  });

  it('that was never opened is refused', async () => {
    const { accountId } = await side.staff.account('team');
    const unknown = await side.tokens.access({
      webSessionId: 'wses_0197f1a0-0000-7000-8000-0000000000aa',
      accountId,
    });
    expect(slug(await create(unknown))).to.equal('invalid-key');
    expect(slug(await create(`${unknown.slice(0, -4)}AAAA`))).to.equal('invalid-key');
  });
});
