import { Type, closed } from '../../../../contracts/schema.ts';
import type { Capture } from '../../../../contracts/resources/session.ts';
import type { OperationLimits } from '../../node/driver.ts';
import { shape } from '../../shape.ts';
import type { Page } from '../page.ts';

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

/** The content inline: the viewport as PNG, the document as it is now as HTML, or the page printed as PDF. */
export const capture: Record<Capture['kind'], (page: Page, limits: OperationLimits) => Promise<Content>> = {
  screenshot: async (page, limits) => base64(await page.screenshot(limits)),
  dom_snapshot: async (page, limits) => {
    const { html } = await page.run('html', null, markup, limits);
    return { data: html, encoding: 'utf8', byte_size: Buffer.byteLength(html) };
  },
  pdf: async (page, limits) => base64(await page.pdf(limits)),
};
