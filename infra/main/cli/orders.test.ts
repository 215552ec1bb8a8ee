import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { OrderEvent } from '../../../contracts/events/order.ts';
import { toId, uuidOf } from '../../../contracts/ids.ts';
import { events } from '../../../domain/order/testing.ts';
import { anAccount, by, startReadSide, type ReadSide } from '../../../projections/testing/index.ts';
import { runService } from '../../verification/testbed/service.ts';
import {
  startCryptoProcessor,
  type CryptoProcessor,
} from '../../crypto-payments/stand-in/crypto-processor.ts';
import { operatorOf } from './testing.ts';

const accountId = anAccount();
const secrets = { apiKey: 'a-key', ipnSecret: 'a-secret' };

describe('the operator’s commands on orders', () => {
  // The first command may have to bundle the sources.
  let side: ReadSide;
  let processor: CryptoProcessor;
  let environment: Record<string, string | undefined>;
  const anOrder = async (...more: OrderEvent[]) => {
    const orderId = toId('order', randomUUID());
    const of = { orderId, accountId };
    const history = [events.OrderPlaced(of), events.PaymentCreated(of), ...more];
    const stream = `order-${uuidOf(orderId)}`;
    await side.append(
      stream,
      history.map((event) => ({ ...event, data: { ...event.data, ...of } })),
      by(accountId),
    );
    return orderId;
  };
  const service = (...args: string[]) => runService(['orders', ...args], environment);
  const outputOf = async <T>(...args: string[]): Promise<T> => {
    const { status, stdout, stderr } = await service(...args, '--json');
    expect(status, stderr).to.equal(0);
    return JSON.parse(stdout) as T;
  };
  /** With a finding of that second of an hour after all others. */
  const reviewedAt = (second: number) => {
    const at = new Date(Date.UTC(2026, 0, 5, 13, 0, second)).toISOString();
    return anOrder(events.OrderExpired(), events.PaymentReviewRequested({ at }));
  };
  const typesOf = async (id: string) => {
    const types: string[] = [];
    for await (const { type } of side.store.readStream(`order-${uuidOf(id)}`)) types.push(type);
    return types;
  };

  before(async () => {
    side = await startReadSide();
    side.project();
    processor = await startCryptoProcessor(secrets);
    environment = {
      ...operatorOf(side),
      ...{ CRYPTO_API_URL: processor.url, CRYPTO_API_KEY: secrets.apiKey },
      CRYPTO_IPN_SECRET: secrets.ipnSecret,
    };
  });
  after(async () => {
    await processor.close();
    await side.close();
  });

  it('list those of an account, and show which have to be reviewed', async () => {
    const pending = await anOrder();
    const late = await anOrder(events.OrderExpired(), events.PaymentReviewRequested());
    await side.caughtUp();
    type Row = { id: string; status: string; reviews: { reason: string }[] };
    const rows = await outputOf<Row[]>('list', '--account', accountId);
    expect(rows.map(({ id }) => id)).to.have.members([pending, late]);
    const found = await outputOf<Row[]>('review');
    expect(found.map(({ id, status }) => [id, status])).to.deep.equal([[late, 'expired']]);
    expect(found[0]?.reviews).to.deep.equal([
      {
        ...{ payment_id: '5001', reason: 'late', processor_status: 'finished', pay_currency: 'btc' },
        ...{ amount_paid: '100000', pay_exponent: 8, at: '2026-01-05T12:00:00.000Z' },
      },
    ]);
    const { stdout } = await service('review');
    expect(stdout).to.contain('0.001 btc').and.to.contain(late);
  });

  it('show money for an order whose payment was never created', async () => {
    const orderId = toId('order', randomUUID());
    const history = [
      events.OrderPlaced(),
      events.OrderWithdrawn(),
      events.PaymentReviewRequested({ reason: 'other_payment', paymentId: '6006' }),
    ];
    await side.append(
      `order-${uuidOf(orderId)}`,
      history.map((event) => ({ ...event, data: { ...event.data, orderId, accountId } })),
      by(accountId),
    );
    await side.caughtUp();
    const found = await outputOf<{ id: string }[]>('review');
    expect(found.find(({ id }) => id === orderId)).to.deep.include({
      ...{ status: 'withdrawn', payment_id: null, account_id: accountId },
    });
    const { stdout } = await service('review');
    const row = stdout.split('\n').find((line) => line.startsWith(orderId));
    expect(row).to.match(/ withdrawn +6006 +other_payment +finished +0\.001 btc /);
  });

  it('show the newest findings, and how many orders are left out', async () => {
    const ids: string[] = [];
    for (let second = 0; second <= 50; second += 1) ids.push(await reviewedAt(second));
    await side.caughtUp();
    const { stdout, stderr } = await service('review');
    const [, ...rows] = stdout.trimEnd().split('\n');
    expect(rows.map((row) => row.split(' ')[0])).to.deep.equal(ids.slice(1).reverse());
    const [{ all } = { all: 0 }] = await side.rows(
      'select count(*)::integer as all from read_model.orders where reviews > 0',
    );
    const hint = `${Number(all) - 50} more: use --limit.\n`;
    expect(stderr).to.equal(hint);
    const cut = await service('review', '--json');
    expect([(JSON.parse(cut.stdout) as unknown[]).length, cut.stderr]).to.deep.equal([50, hint]);
    const everything = await service('review', '--limit', String(all));
    expect(everything.stdout).to.contain(ids[0]);
    expect(everything.stderr).to.equal('');
  });

  it('expire a pending one after the processor was asked', async () => {
    const id = await anOrder();
    const value = await outputOf<{ status: string; failure_reason: string }>('expire', id);
    expect(value).to.include({ status: 'expired', failure_reason: 'expired' });
    expect(await typesOf(id)).to.deep.equal(['OrderPlaced', 'PaymentCreated', 'OrderExpired']);
    const again = await service('expire', id);
    expect([again.status, again.stderr]).to.deep.equal([1, 'conflict: The order is expired.\n']);
  });

  it('expire none where the processor is not configured, unless it is not to be asked', async () => {
    const id = await anOrder();
    const expire = (...args: string[]) =>
      runService(['orders', 'expire', id, ...args], { ...environment, CRYPTO_IPN_SECRET: undefined });
    const { status, stderr } = await expire();
    expect(status).to.equal(1);
    expect(stderr).to.match(/CRYPTO_API_KEY and CRYPTO_IPN_SECRET.*--without-asking.*\n$/);
    expect(await typesOf(id)).to.deep.equal(['OrderPlaced', 'PaymentCreated']);
    expect(await expire('--without-asking')).to.include({ status: 0, stdout: `${id} is expired.\n` });
  });

  it('expire none whose processor does not answer', async () => {
    const id = await anOrder();
    processor.behave('down');
    const { status, stderr } = await service('expire', id);
    processor.behave('normal');
    expect([status, stderr]).to.deep.equal([1, 'The crypto processor answered with status 503.\n']);
    expect(await typesOf(id)).to.deep.equal(['OrderPlaced', 'PaymentCreated']);
  });
});
