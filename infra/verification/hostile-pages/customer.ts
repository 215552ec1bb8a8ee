import type { SystemClient } from '../bench/system/system-client.ts';
import { ordinaryPages, type VisitedPage } from './catalogue.ts';
import type { HostileSite } from './site.ts';

/** A request below the session's own path. */
export interface Asks {
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

const post = (operation: string, body: object): Asks => ({
  operation,
  method: 'POST',
  path: operation,
  body,
});

/** A customer's operations on an ordinary page. */
export const roundOn = (url: string): readonly Asks[] => [
  post('navigate', { url }),
  post('extract', { schema: { type: 'string', 'x-selector': 'h1' } }),
  post('interact', { action: { kind: 'tap', selector: 'h1' } }),
  { operation: 'state', method: 'GET', path: 'state' },
];

/** Milliseconds that a hostile page may take to open: many never do. */
const openingMs = 2_000;

/** Opens a page and does what its entry says. */
export const visitOf = ({ then, ...page }: VisitedPage, site: HostileSite): readonly Asks[] => [
  post('navigate', { url: site.urlOf(page), timeout_ms: openingMs }),
  ...(then ? [post(then.operation, then.body)] : []),
];

/** Milliseconds of an operation. */
export interface Took {
  readonly operation: string;
  readonly milliseconds: number;
}

const ask = (client: SystemClient, session: string, { method, path, body }: Asks) =>
  client.call(method, `/v1/sessions/${session}/${path}`, body);

/** One round on each ordinary page. @throws if any request fails */
export async function workOn(client: SystemClient, session: string, site: HostileSite): Promise<Took[]> {
  const took: Took[] = [];
  for (const asks of ordinaryPages.flatMap((page) => roundOn(site.urlOf(page)))) {
    const { milliseconds } = await ask(client, session, asks);
    took.push({ operation: asks.operation, milliseconds });
  }
  return took;
}

/** Any outcome is fine on a hostile page. */
export async function visit(
  client: SystemClient,
  session: string,
  site: HostileSite,
  page: VisitedPage,
): Promise<void> {
  for (const asks of visitOf(page, site)) await ask(client, session, asks).catch(() => undefined);
}

/** `creating`, `ready`, `busy`, `errored` or `destroyed`. */
export async function statusOf(client: SystemClient, session: string): Promise<string> {
  const { text } = await client.call('GET', `/v1/sessions/${session}`);
  return (JSON.parse(text) as { readonly status: string }).status;
}
