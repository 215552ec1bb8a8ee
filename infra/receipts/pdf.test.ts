import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { receiptLines, receiptOf, receiptText } from '../../contracts/resources/order-receipt.ts';
import { order } from '../../domain/order/order.ts';
import { isPayable } from '../../domain/order/state.ts';
import { events } from '../../domain/order/testing.ts';
import { tempDir } from '../verification/testbed/index.ts';
import { receiptPdf } from './pdf.ts';

const history = [events.OrderPlaced(), events.PaymentCreated(), events.OrderPaid()];
const of = (given: typeof history) => {
  const state = given.reduce(order.evolve, order.initialState);
  return isPayable(state) ? receiptOf(state) : undefined;
};
const someReceipt = () => {
  const receipt = of(history);
  if (receipt === undefined) throw new Error('A paid order has a receipt.');
  return receipt;
};

describe('a receipt', () => {
  it('is there once the order is paid, and follows from its events alone', () => {
    expect(of(history.slice(0, 2))).to.equal(undefined);
    expect(of(history)).to.deep.equal(of(history));
    expect(receiptText(someReceipt())).to.contain('Price        49.00 USD\nAmount due   0.001 BTC\n');
  });

  it('is the same PDF each time, whose text can be read', async () => {
    const receipt = { ...someReceipt(), product: 'Zażółć Γάμμα Йод' };
    const pdf = await receiptPdf(receipt);
    // Regardless of receipts in between.
    await receiptPdf({ ...receipt, product: 'office Ωμέγα' });
    expect((await receiptPdf(receipt)).equals(pdf)).to.equal(true);
    const file = join(tempDir('receipt'), 'receipt.pdf');
    writeFileSync(file, pdf);
    const { stdout } = await promisify(execFile)('pdftotext', ['-layout', file, '-']);
    for (const [name, fact] of receiptLines(receipt)) {
      expect(stdout).to.contain(name);
      expect(stdout).to.contain(fact);
    }
  });
});
