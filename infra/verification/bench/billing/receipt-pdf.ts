import { until } from '../../testbed/index.ts';
import { percentile } from '../latency.ts';
import { atMost, type CheckSubject } from '../subject.ts';
import { scaled } from '../system/system-scale.ts';
import { onSellingSystem, place, settle } from './selling.ts';

const bars = { pass: 50, stretch: 25 };
const warmUp = scaled(100, 10);
const receipts = scaled(300, 30);

/** Consecutive receipts through the gateway; the process's first one is reported separately. */
export const receiptPdf: CheckSubject = {
  kind: 'check',
  id: 'receipt-pdf',
  long: true,
  title: 'receipt of a crypto order as PDF over HTTP, p99',
  bars,
  unit: 'ms',
  check: (bench) =>
    onSellingSystem(bench, async ({ processor, payer }) => {
      const client = await payer();
      const { id, payment_id } = await place(client);
      await settle(processor, payment_id);
      const path = `/v1/billing/crypto-orders/${id}`;
      await until(async () => (await client.call('GET', path)).text.includes('"status":"paid"'));
      const read = async (file: string) => (await client.call('GET', `${path}/${file}`)).milliseconds;
      const first = await read('receipt.pdf');
      for (let index = 0; index < warmUp; index += 1) await read('receipt.pdf');
      const took: number[] = [];
      for (let index = 0; index < receipts; index += 1) took.push(await read('receipt.pdf'));
      return atMost(bars, percentile(took, 0.99), {
        receipts,
        first_ms: first,
        p50_ms: percentile(took, 0.5),
        max_ms: percentile(took, 1),
        same_without_pdf_ms: await read('receipt.txt'),
      });
    }),
};
