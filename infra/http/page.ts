import { html, type Markup } from './html.ts';
import type { Reply } from './types.ts';

const style = `body { max-width: 32rem; margin: 4rem auto; padding: 0 1.25rem; font: 1rem/1.5 system-ui, sans-serif;
  color: #1c1c1e; background: #fff } h1 { font-size: 1.4rem } button { padding: .75rem 1.5rem; border: 0;
  border-radius: 6px; background: #1a4fd6; color: #fff; font: inherit; font-weight: 600; cursor: pointer }`;

/**
 * Nothing is loaded or executed, and the URL, which may contain a token, is sent to no other site. With `no-referrer` browsers
 * would send the page's own form with `Origin: null`, which is refused for callers with a cookie.
 */
const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex',
};

/** A reply for people: a self-contained page. */
export const page = (title: string, content: Markup): Pick<Reply, 'headers' | 'body'> => ({
  headers,
  body: html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <h1>${title}</h1>
        ${content}
      </body>
    </html>`.text,
});
