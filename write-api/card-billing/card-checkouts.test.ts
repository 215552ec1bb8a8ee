import { expect } from 'chai';
import { until } from '../../infra/verification/testbed/index.ts';
import { startCardService } from '../testing/cards.ts';

describe('the checkout pages of an account', () => {
  let cards: Awaited<ReturnType<typeof startCardService>>;
  before(async () => {
    cards = await startCardService();
  });
  after(() => cards.close());

  const statusOf = (checkoutId: string) => cards.processor.ledger.checkout(checkoutId).status;
  const isClosed = (checkoutId: string) => until(() => statusOf(checkoutId) === 'expired');
  const open = async (token: string, tier?: string) =>
    String((await cards.checkout(token, tier)).json.url)
      .split('/')
      .at(-1) ?? '';

  it('are closed when another is opened, so that of two side by side only the newer can be paid', async () => {
    const { token, checkoutId: first } = await cards.buyer();
    const second = await open(token, 'team');
    await isClosed(first);
    expect(statusOf(second)).to.equal('open');
    const neighbour = await cards.buyer();
    const third = await open(token);
    await isClosed(second);
    expect([statusOf(third), statusOf(neighbour.checkoutId)]).to.deep.equal(['open', 'open']);
    cards.processor.ledger.complete(third);
    await cards.shows(token, { tier: 'personal', status: 'active' });
  });

  it('are closed once the account is subscribed, also one that was opened before that was known', async () => {
    const { token, checkoutId } = await cards.buyer();
    const before = cards.processor.events.length;
    cards.processor.ledger.complete(checkoutId);
    const second = await open(token);
    expect(statusOf(second)).to.equal('open');
    for (const event of cards.processor.events.slice(before)) await cards.call(event);
    await isClosed(second);
    await cards.shows(token, { tier: 'personal', status: 'active' });
  });
});
