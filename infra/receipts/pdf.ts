import { createRequire } from 'node:module';
import { once } from 'node:events';
import PDFDocument from 'pdfkit';
import { receiptLines, type OrderReceipt } from '../../contracts/resources/order-receipt.ts';

/** The fonts that PDF readers have cannot write most names. */
const font = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');

const [margin, labels] = [56, 110] as const;

/** A receipt as a PDF of one page. It carries the date of the payment, and no other, so that it is the same bytes each time. */
export async function receiptPdf(receipt: OrderReceipt): Promise<Buffer> {
  const date = new Date(receipt.paid_at);
  const document = new PDFDocument({
    ...{ size: 'A4', margin, font, lang: 'en', displayTitle: true },
    info: { Title: `Receipt ${receipt.receipt_number}`, CreationDate: date, ModDate: date },
  });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = once(document, 'end');
  document.fontSize(20).text('Receipt').moveDown();
  document.fontSize(10);
  for (const [name, fact] of receiptLines(receipt)) {
    const { y } = document;
    document.text(name, margin, y, { width: labels });
    document.text(fact, margin + labels, y).moveDown(0.5);
  }
  document.end();
  await ended;
  return Buffer.concat(chunks);
}
