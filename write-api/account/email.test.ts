import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { account } from '../../domain/account.ts';
import { unsubscribeToken } from '../../infra/keys/unsubscribe-tokens.ts';
import { onlyPepper } from '../../infra/keys/index.ts';
import { peppers, startWriteSide, type WriteSide } from '../testing.ts';

const path = '/v1/email/unsubscribe';

describe('unsubscribing from a kind of mails over HTTP', () => {
  let side: WriteSide;
  let accountId: AccountId;
  before(async () => {
    side = await startWriteSide();
  });
  after(() => side.close());
  beforeEach(async () => {
    ({ accountId } = await side.staff.account('team'));
  });

  const tokenFor = (kind: string, by = peppers) => unsubscribeToken({ accountId, kind }, by);
  const post = (token: string, body?: string) =>
    fetch(`http://127.0.0.1:${side.port}${path}?token=${token}`, {
      method: 'POST',
      ...(body !== undefined && { body }),
      headers: body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const preferences = async () =>
    (await side.events(`email_preferences-${uuidOf(accountId)}`)).map(({ data }) => data);

  it('is one POST as mail programs send it, which needs no sign-in', async () => {
    const response = await post(tokenFor('tier-changed'), 'List-Unsubscribe=One-Click');
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(await response.text())
      .to.contain('Unsubscribed')
      .and.to.contain('tier-changed');
    const [preference, ...more] = await preferences();
    expect(preference).to.include({ accountId, eventType: 'tier-changed', optedIn: false });
    expect(more).to.deep.equal([]);
  });

  it('is no more when it is sent again', async () => {
    for (const body of ['List-Unsubscribe=One-Click', '', undefined])
      expect((await post(tokenFor('tier-changed'), body)).status).to.equal(200);
    expect(await preferences()).to.have.lengthOf(1);
  });

  it('is refused without a token of ours, for a kind that is always sent, and for another account', async () => {
    const [, kind = '', mac = ''] = tokenFor('tier-changed').split('.');
    const forged = [
      '',
      'nonsense',
      tokenFor('password-reset'),
      tokenFor('tier-changed', onlyPepper('another pepper')),
      [randomUUID(), kind, mac].join('.'),
    ];
    for (const token of forged) {
      const response = await post(token);
      expect(response.status, token).to.equal(401);
      expect(await response.json()).to.include({ type: 'https://errors.example/invalid-auth-token' });
    }
    expect(await preferences()).to.deep.equal([]);
  });

  it('of an erased account is answered alike, and records nothing', async () => {
    const erase = { type: 'EraseAccount', at: new Date().toISOString() } as const;
    const { runner, context } = side.staff;
    await runner.run(account, uuidOf(accountId), erase, context());
    const response = await post(tokenFor('tier-changed'));
    expect(response.status).to.equal(200);
    expect(await response.text()).to.contain('Unsubscribed');
    expect(await preferences()).to.deep.equal([]);
  });

  it('says nothing of whether the account is still there', async () => {
    const gone = unsubscribeToken(
      { accountId: toId('account', randomUUID()), kind: 'tier-changed' },
      peppers,
    );
    expect((await post(gone)).status).to.equal(200);
  });
});
