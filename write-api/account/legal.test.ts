import { expect } from 'chai';
import { slugOf } from '../testing/sign-in.ts';
import { startWriteSide, fixedClock, type WriteSide } from '../testing.ts';

describe('accepting the terms', () => {
  const clock = fixedClock();
  let side: WriteSide;
  before(async () => {
    side = await startWriteSide({ clock, config: { TERMS_REVISION: '2026-02' }, storeDeadlineMs: 30_000 });
  });
  after(() => side.close());

  const accept = (token: string, revision: string) =>
    side.call('POST /v1/legal/accept', { token, body: { revision } });
  const person = async () => {
    const { accountId } = await side.staff.account('free');
    return { accountId, token: (await side.staff.session(accountId)).accessToken };
  };

  it('says what is accepted and since when, also when it is accepted again', async () => {
    const { token, accountId } = await person();
    const expected = { accepted_revision: '2026-02', accepted_at: clock.now().toISOString() };
    const first = await accept(token, '2026-02');
    expect([first.status, first.json]).to.deep.equal([200, expected]);
    clock.advance(60_000);
    expect((await accept(token, '2026-02')).json).to.deep.equal(expected);
    const events = await side.events(`account-${accountId.slice(4)}`);
    expect(events.filter(({ type }) => type === 'TermsAccepted')).to.have.lengthOf(1);
  });

  it('takes the revision in force alone', async () => {
    const { token } = await person();
    const answer = await accept(token, '2026-01');
    expect([answer.status, answer.text]).to.satisfy(
      ([status, text]: [number, string]) => status === 400 && text.includes('/body/revision'),
    );
  });

  it('is open to an API key with account_owner and no other, and not to suspended accounts', async () => {
    const { token: key, accountId } = await side.staff.account('team');
    expect((await accept(key, '2026-02')).status).to.equal(200);
    const narrow = await side.staff.token(accountId, ['read', 'write']);
    expect((await accept(narrow, '2026-02')).status).to.equal(403);
    await side.staff.accounts.suspend(accountId, 'unpaid', side.staff.context());
    const refused = await accept(key, '2026-02');
    expect([refused.status, slugOf(refused)]).to.deep.equal([403, 'forbidden']);
  });

  it('is asked of keys and sessions alike before anything but their credential, and then no more', async () => {
    const { token: key, accountId } = await side.staff.account('team');
    const { accessToken } = await side.staff.session(accountId);
    for (const token of [key, accessToken]) {
      const answer = await side.call('POST /v1/sessions', { token, body: '{not json' });
      expect([answer.status, String(answer.json.type).split('/').at(-1)]).to.deep.equal([
        403,
        'legal-acceptance-required',
      ]);
    }
    await accept(accessToken, '2026-02');
    for (const token of [key, accessToken])
      expect((await side.call('POST /v1/sessions', { token, body: {} })).status).to.equal(201);
  });

  it('takes any revision where none is in force', async () => {
    const free = await startWriteSide({ storeDeadlineMs: 30_000 });
    const { accountId } = await free.staff.account('free');
    const { accessToken: token } = await free.staff.session(accountId);
    const body = { revision: 'whatever' };
    const answer = await free.call('POST /v1/legal/accept', { token, body });
    await free.close();
    expect([answer.status, answer.json.accepted_revision]).to.deep.equal([200, 'whatever']);
  });
});
