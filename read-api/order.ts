import { Readable } from 'node:stream';
import { refuse } from '../contracts/problems.ts';
import { presentOrder, type StoredOrder } from '../contracts/resources/order.ts';
import {
  receiptOf,
  receiptText,
  type OrderReceipt,
  type SettledOrder,
} from '../contracts/resources/order-receipt.ts';
import type { Reply } from '../infra/http/index.ts';
import { qrSvg } from '../infra/receipts/qr.ts';
import { rowById } from '../projections/queries/detail.ts';
import { listOrders, oneOrder } from '../projections/queries/order.ts';
import { orders } from '../projections/read-models/order.ts';
import type { Pages } from './engine/paging.ts';
import type { Details } from './engine/details.ts';
import { idOf, showOne, type Read, type ReadCall } from './engine/reading.ts';
import { ownResource } from './engine/resource.ts';

type OfOrder = ReadCall & { readonly params: { readonly id: string } };
interface Row {
  readonly state: StoredOrder;
}

const shown = ({ state }: Row) => presentOrder(state, qrSvg);

/** The orders of an account, and the receipts of paid ones. */
export function orderReads(read: Read, { list }: Pages, details: Details) {
  const receipt = showOne(read, 'order', oneOrder, ({ state }) => paid(state));
  const asFile = (form: Form) => ({
    run: async (call: OfOrder) => {
      const { body, ...freshness } = await receipt.run(call);
      return { ...freshness, ...(await fileOf(body, form, freshness.headers)) };
    },
  });
  return {
    'crypto-orders.list': list('crypto-orders.list', listOrders, shown),
    ...details(
      'crypto-orders',
      ownResource(read, {
        model: orders,
        idOf: (text) => idOf('order', text),
        statement: rowById(orders),
        show: ({ state }) => (state.payment === null ? undefined : shown({ state })),
      }),
    ),
    'crypto-orders.receipt': receipt,
    'crypto-orders.receipt-text': asFile({
      ...{ contentType: 'text/plain; charset=utf-8', extension: 'txt' },
      write: (each) => Buffer.from(receiptText(each)),
    }),
    'crypto-orders.receipt-pdf': asFile({
      ...{ contentType: 'application/pdf', extension: 'pdf' },
      // Loaded on first use: the PDF library is a megabyte that most processes never need.
      write: async (each) => (await import('../infra/receipts/pdf.ts')).receiptPdf(each),
    }),
  };
}

interface Form {
  readonly contentType: string;
  readonly extension: string;
  readonly write: (receipt: OrderReceipt) => Buffer | Promise<Buffer>;
}

/** A receipt as a file download. */
async function fileOf(
  receipt: OrderReceipt,
  { contentType, extension, write }: Form,
  headers: Reply['headers'],
) {
  const content = await write(receipt);
  return {
    body: Readable.from([content]),
    headers: {
      ...headers,
      'Content-Type': contentType,
      'Content-Length': String(content.length),
      'Content-Disposition': `attachment; filename="${receipt.receipt_number}.${extension}"`,
    },
  };
}

function paid(order: SettledOrder): OrderReceipt {
  const receipt = receiptOf(order);
  if (receipt === undefined) throw refuse('conflict', 'Only a paid order has a receipt.');
  return receipt;
}
