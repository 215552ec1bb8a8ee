import type { ServerResponse } from 'node:http';
import { html, type Markup } from '../../../http/html.ts';
import type { Ledger } from './ledger.ts';

interface PageRequest {
  readonly method: string;
  readonly path: string;
}

/** The pages for people: to subscribe, or to cancel. A POST does what the page's button does. */
export function answerPage(ledger: Ledger, { method, path }: PageRequest, response: ServerResponse): void {
  const [, page, id = ''] = path.split('/');
  const show = (markup: Markup): void =>
    void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(markup.text);
  const back = (url: string | null): void => void response.writeHead(303, { location: url ?? '/' }).end();
  if (page === 'pay' && ledger.checkouts.has(id)) {
    if (ledger.checkout(id).status === 'expired')
      return void response.writeHead(410).end('This page has expired.');
    if (method !== 'POST') return show(form('Subscribe', 'Pay with a test card that ends in 4242'));
    ledger.complete(id);
    return back(ledger.checkout(id).success_url);
  }
  if (page === 'portal' && ledger.customers.has(id)) {
    if (method !== 'POST') return show(form('Your subscription', 'Cancel it'));
    const own = [...ledger.subscriptions.values()].filter(({ customer }) => customer === id);
    for (const each of own) if (each.status !== 'canceled') ledger.cancel(each.id);
    return back(path);
  }
  response.writeHead(404).end();
}

const form = (title: string, button: string): Markup =>
  html`<!doctype html>
    <html lang="en">
      <meta name="viewport" content="width=device-width" />
      <title>${title}</title>
      <body style="font:17px system-ui;margin:20px">
        <h1>${title}</h1>
        <form method="post"><button>${button}</button></form>
      </body>
    </html>`;
