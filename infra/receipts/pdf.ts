import { createRequire } from 'node:module';
import { once } from 'node:events';
import PDFDocument from 'pdfkit';
import { receiptLines, type OrderReceipt } from '../../contracts/resources/order-receipt.ts';
import { memoized } from '../platform/cache.ts';

type FontSource = PDFKit.Mixins.PDFFontSource;

/** The standard fonts of PDF readers lack most names' characters. */
const fontFile = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');

/**
 * The font, parsed once for all receipts, which takes ten times as long as writing one. pdfkit accepts a parsed font instead of a
 * file, though its types know neither that nor the property in which a document stores it.
 */
const parsed = memoized((file: string): FontSource => {
  const kept: unknown = Reflect.get(new PDFDocument({ font: file, autoFirstPage: false }), '_font');
  const font = typeof kept === 'object' && kept !== null && 'font' in kept ? kept.font : undefined;
  return isFont(font) ? font : file;
});

const isFont = (value: unknown): value is FontSource =>
  typeof value === 'object' && value !== null && 'layout' in value;

const [margin, labels] = [56, 110] as const;

/** A receipt as a PDF of one page. Its only date is the payment's, so that its bytes are deterministic. */
export async function receiptPdf(receipt: OrderReceipt): Promise<Buffer> {
  const date = new Date(receipt.paid_at);
  const document = new PDFDocument({
    ...{ size: 'A4', margin, font: '', lang: 'en', displayTitle: true },
    info: { Title: `Receipt ${receipt.receipt_number}`, CreationDate: date, ModDate: date },
  });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = once(document, 'end');
  document.font(parsed(fontFile)).fontSize(20).text('Receipt').moveDown();
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
