import { expect } from 'chai';
import { Secret, TOTP } from 'otpauth';
import { outcomeOf } from '../../infra/verification/security/whole-service.ts';
import { startCardService } from '../testing/cards.ts';

describe('a change of the plan on an account with a second factor', () => {
  let cards: Awaited<ReturnType<typeof startCardService>>;
  before(async () => {
    cards = await startCardService();
  });
  after(() => cards.close());

  /** A buyer whose web session has a second factor, with a code that is no longer recent. */
  const enrolled = async () => {
    const buyer = await cards.buyer();
    const { accessToken } = await cards.service.staff.session(buyer.accountId);
    const mfa = (path: string, body: object = {}) =>
      cards.service.call(`POST /v1/auth/mfa/${path}`, { token: accessToken, body });
    const { json } = await mfa('enroll');
    const totp = new TOTP({ secret: Secret.fromBase32(String(json.secret)) });
    const code = () => totp.generate({ timestamp: cards.clock.now().getTime() });
    await mfa('confirm', { code: code() });
    cards.clock.advance(11 * 60_000);
    return { ...buyer, accessToken, stepUp: () => mfa('step-up', { code: code() }) };
  };
  const actions = async (token: string) => {
    await cards.service.caughtUp();
    const { json } = await cards.service.call('GET /v1/account/audit-log', { token });
    return (json.data as { action: string }[])
      .map(({ action }) => action)
      .filter((action) => /^billing\..*_opened$/.test(action));
  };

  it('needs a recent code, which no API key can give, as the portal that it opens', async () => {
    const { token, accountId, accessToken, checkoutId, stepUp } = await enrolled();
    cards.processor.ledger.complete(checkoutId);
    await cards.shows(token, { tier: 'personal', status: 'active' });
    expect(outcomeOf(await cards.checkout(accessToken, 'team'))).to.equal('mfa-step-up-required');
    expect(outcomeOf(await cards.checkout(token, 'team'))).to.equal('forbidden');
    expect(await cards.recorded(accountId, 'PortalOpened')).to.have.length(0);
    expect((await stepUp()).status).to.equal(200);
    const page = await cards.checkout(accessToken, 'team');
    expect(page.status, page.text).to.equal(200);
    expect(page.json.url).to.contain('/portal/');
    expect(await actions(accessToken)).to.deep.equal(['billing.portal_opened', 'billing.checkout_opened']);
  });

  it('is no first purchase, which needs no code', async () => {
    const { token, accessToken } = await enrolled();
    for (const each of [accessToken, token]) {
      const page = await cards.checkout(each);
      expect(page.status, page.text).to.equal(200);
      expect(page.json.url).to.contain('/pay/');
    }
  });
});
