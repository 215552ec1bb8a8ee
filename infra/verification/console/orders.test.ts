import { expect } from 'chai';
import { startCryptoProcessor, type CryptoProcessor } from '../testbed/index.ts';
import { canBeRead, savedBy, signInByKey, usePages } from './pages.ts';

const keys = { apiKey: 'a-key', ipnSecret: 'a-secret' };

describe('the pages of the console about crypto orders', function () {
  this.timeout(240_000);
  let processor: CryptoProcessor;
  const pages = usePages({
    env: async () => {
      const callbackUrl = () => `${pages.stack.baseUrl}/v1/webhooks/crypto`;
      processor = await startCryptoProcessor({ ...keys, callbackUrl });
      return {
        CRYPTO_API_URL: processor.url,
        CRYPTO_API_KEY: keys.apiKey,
        CRYPTO_IPN_SECRET: keys.ipnSecret,
      };
    },
  });
  after(() => processor.close());

  const anOrder = (pay_currency = 'btc') =>
    pages.person.api.cryptoOrders.create({ product: 'api_builder_month', pay_currency });

  it('quote a product in coins, and order exactly what was quoted', async () => {
    const page = await pages.open();
    await page.goto('/console/billing');
    await page.getByRole('button', { name: 'Pay with crypto' }).click();
    const dialog = page.getByRole('dialog');
    const product = dialog.getByLabel('Product');
    const order = dialog.getByRole('button', { name: 'Order' });
    await product.fill('api_builder_month');
    await dialog.getByLabel('Currency').fill('btc');
    await dialog.getByRole('button', { name: 'Get a quote' }).click();
    await dialog.getByText('0.00081667 BTC for $49.00').waitFor();
    await product.fill('api_scale_month');
    await order.waitFor({ state: 'detached' });
    await product.fill('api_builder_month');
    await order.click();
    await page.waitForURL('**/console/billing/orders/ord_*');
    await page.getByRole('heading', { name: 'Pay 0.00081667 BTC to this address' }).waitFor();
    const id = page.url().split('/').at(-1) ?? '';
    expect((await pages.person.api.cryptoOrders.get(id)).product).to.equal('api_builder_month');
  });

  it('show the received and the missing amount in coins', async () => {
    const { id, payment_id: payment } = await anOrder();
    await processor.pay(payment, '0.0004');
    const page = await pages.open();
    await page.goto(`/console/billing/orders/${id}`);
    await page.getByRole('heading', { name: 'Pay 0.00041667 BTC to this address' }).waitFor();
    await page.getByText('0.0004 BTC', { exact: true }).waitFor();
    await page.getByText('0.00041667 BTC', { exact: true }).waitFor();
  });

  it('ask for an amount that a wallet can send if the processor gives more decimals', async () => {
    const { id, pay_amount, pay_exponent } = await anOrder('usdterc20');
    expect([pay_amount, pay_exponent]).to.deep.equal(['4851485149', 8]);
    const page = await pages.open();
    await page.goto(`/console/billing/orders/${id}`);
    await page.getByRole('heading', { name: 'Pay 48.514852 USDTERC20 to this address' }).waitFor();
  });

  it('save the receipts of a paid order, also with an API key', async () => {
    const { id, payment_id: payment } = await anOrder();
    await processor.pay(payment);
    const page = await pages.open({ as: null });
    await signInByKey(page, pages.person.account.api_key);
    await page.goto(`/console/billing/orders/${id}`);
    const pdf = await savedBy(page, 'Receipt as PDF');
    expect([pdf.name, pdf.bytes.subarray(0, 4).toString()]).to.deep.equal([`${id}.pdf`, '%PDF']);
    const text = await savedBy(page, 'Receipt as text');
    expect(text.name).to.equal(`${id}.txt`);
    expect(text.bytes.toString()).to.include('0.00081667 BTC');
  });

  let id = '';
  before(async () => {
    ({ id } = await anOrder());
  });
  canBeRead(pages, [
    {
      name: 'order',
      path: () => `/billing/orders/${id}`,
      until: (page) => page.getByRole('img', { name: 'QR code of the payment' }).waitFor(),
    },
  ]);
});
