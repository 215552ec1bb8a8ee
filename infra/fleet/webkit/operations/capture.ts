import { Type, closed } from '../../../../contracts/schema.ts';
import type { Capture } from '../../../../contracts/resources/session.ts';
import { pageFailure, type OperationLimits } from '../../node/driver.ts';
import { shape } from '../../shape.ts';
import type { Clip, Page } from '../page.ts';
import { targetOf } from './target.ts';

interface Content {
  readonly data: string;
  readonly encoding: 'base64' | 'utf8';
  readonly byte_size: number;
}

const base64 = (content: Buffer): Content => ({
  data: content.toString('base64'),
  encoding: 'base64',
  byte_size: content.length,
});

const markup = shape(closed({ html: Type.String() }));
const Size = { width: Type.Number(), height: Type.Number() };
const Place = { x: Type.Number(), y: Type.Number() };
const boxed = shape(
  closed({ box: closed({ ...Place, ...Size }), viewport: closed(Size), scroll: closed(Place) }),
);

/** The content, inline: a PNG of the viewport, an element or the whole page; the document as HTML; or a PDF. */
export async function capture(page: Page, request: Capture, limits: OperationLimits): Promise<Content> {
  switch (request.kind) {
    case 'screenshot':
      return base64(await page.screenshot(limits, await clipOf(page, request, limits)));
    case 'dom_snapshot': {
      const { html } = await page.run('html', null, markup, limits);
      return { data: html, encoding: 'utf8', byte_size: Buffer.byteLength(html) };
    }
    case 'pdf':
      return base64(await page.pdf(limits));
  }
}

/** The part of the page to capture. An element larger than the viewport is cut out of the whole document. */
async function clipOf(page: Page, request: Capture, limits: OperationLimits): Promise<Clip | undefined> {
  const located = targetOf(request);
  if (!located) return request.full_page ? { full: true } : undefined;
  if (request.full_page)
    throw pageFailure('invalid_request', 'Capture an element or the full page, not both.');
  const { box, viewport, scroll } = await page.run('box', located, boxed, limits);
  const isInView =
    box.x >= 0 && box.y >= 0 && box.x + box.width <= viewport.width && box.y + box.height <= viewport.height;
  return isInView
    ? { full: false, box }
    : { full: true, box: { ...box, x: box.x + scroll.x, y: box.y + scroll.y } };
}
