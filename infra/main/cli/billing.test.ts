import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { uuidOf } from '../../../contracts/ids.ts';
import { anAccount, by, startReadSide, type ReadSide } from '../../../projections/testing/index.ts';
import { runService } from '../../verification/testbed/service.ts';
import { operatorOf } from './testing.ts';

const [one, other] = [anAccount(), anAccount()];
const paidAt = '2026-03-10T00:00:00.000Z';

describe('the operator’s commands on billing', () => {
  // The first command may have to bundle the sources.
  const folder = mkdtempSync(join(tmpdir(), 'service-tariff-'));
  let side: ReadSide;
  const fileWith = (text: string): string => {
    const path = join(folder, `${randomUUID()}.json`);
    writeFileSync(path, text);
    return path;
  };
  const reprice = (tariff: string, period = '2026-03') =>
    runService(
      ['billing', 'reprice', '--tariff', fileWith(tariff), '--period', period, '--json'],
      operatorOf(side),
    );

  before(async () => {
    side = await startReadSide();
    side.project();
    for (const [accountId, amountCents, currency] of [
      [one, 1200, 'usd'],
      [one, 1200, 'usd'],
      [other, 1300, 'usd'],
      [other, 700, 'eur'],
    ] as const) {
      const invoice = { accountId, invoiceId: `in_${randomUUID()}`, subscriptionId: null, tier: 'personal' };
      const money = {
        amountCents,
        currency,
        periodStart: paidAt,
        periodEnd: paidAt,
        paidAt,
        at: paidAt,
      };
      await side.append(
        `subscription-${uuidOf(accountId)}`,
        [{ type: 'InvoicePaid', data: { ...invoice, ...money } }],
        by(accountId),
      );
    }
    await side.caughtUp();
  });
  after(async () => {
    await side.close();
    rmSync(folder, { recursive: true });
  });

  it('compute a month by another tariff, each currency by itself', async () => {
    const { stdout, stderr } = await reprice('{"cards":{"personal":1000},"crypto":{}}');
    expect(stderr).to.equal('');
    const output = JSON.parse(stdout) as Readonly<Record<'period' | 'totals' | 'accounts', unknown>>;
    expect(output.period).to.equal('2026-03');
    const usd = (billed_cents: number, repriced_cents: number) => ({
      ...{ currency: 'usd', billed_cents, repriced_cents, difference_cents: repriced_cents - billed_cents },
    });
    const eur = { currency: 'eur', billed_cents: 700, repriced_cents: 1000, difference_cents: 300 };
    expect(output.totals).to.have.deep.members([usd(3700, 3000), eur]);
    expect(output.accounts).to.have.deep.members([
      { account_id: one, ...usd(2400, 2000) },
      { account_id: other, ...usd(1300, 1000) },
      { account_id: other, ...eur },
    ]);
  });

  it('refuse an invalid tariff or month, and say what is expected', async () => {
    for (const [tariff, period] of [
      ['{"cards":{"personal":9.5}}', '2026-03'],
      ['{', '2026-03'],
      ['[]', '2026-03'],
      ['{"cards":[]}', '2026-03'],
      ['{"cards":{"persnal":1000}}', '2026-03'],
      ['{"cart":{"personal":1000}}', '2026-03'],
      ['{}', '2026-13'],
    ] as const) {
      const { status, stderr } = await reprice(tariff, period);
      expect(status).to.equal(1);
      expect(stderr).to.match(/tariff|month/);
    }
  });
});
