import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { SystemClient } from '../../bench/system/system-client.ts';
import { hostilePages, ordinaryPages, type VisitedPage } from '../../hostile-pages/catalogue.ts';
import { statusOf, visit } from '../../hostile-pages/customer.ts';
import type { HostileSite } from '../../hostile-pages/site.ts';

/** Visits to pages by page name, and how they ended. */
export interface Visits {
  /** Only completed visits. */
  readonly counts: Readonly<Record<string, { readonly visits: number; readonly ended: number }>>;
  /** Browsers that could not be created. */
  readonly refused: number;
}

/** How long a page stays open, in milliseconds. */
const stayMs = 20_000;
/** Milliseconds before the next try after a refusal. */
const refusedMs = 1_000;
/** Two in three are hostile. */
const pages: readonly VisitedPage[] = hostilePages.flatMap((page, index) => [
  page,
  ...(index % 2 === 0 ? [] : ordinaryPages.slice((index >> 1) % ordinaryPages.length).slice(0, 1)),
]);

/** Keeps `sideBySide` browsers of these accounts, in turn, each on one page after the other until the signal. */
export function visitUntil(
  signal: AbortSignal,
  sideBySide: number,
  clients: readonly SystemClient[],
  site: HostileSite,
) {
  // Each open page listens to it.
  setMaxListeners(sideBySide, signal);
  const counts: Record<string, { visits: number; ended: number }> = {};
  let refused = 0;
  let open = 0;
  const visitOnce = async (client: SystemClient, page: VisitedPage): Promise<void> => {
    const session = await client.create();
    open += 1;
    await visit(client, session, site, page);
    await delay(stayMs, undefined, { signal }).catch(() => undefined);
    const count = (counts[page.name] ??= { visits: 0, ended: 0 });
    count.visits += 1;
    if ((await statusOf(client, session)) === 'errored') count.ended += 1;
    await client.end(session).catch(() => undefined);
    open -= 1;
  };
  const visitInTurn = async (index: number): Promise<void> => {
    const client = clients[index % clients.length];
    for (let next = index; client && !signal.aborted; next += 1) {
      const page = pages[next % pages.length];
      if (page)
        await visitOnce(client, page).catch(async () => {
          refused += 1;
          await delay(refusedMs);
        });
    }
  };
  const done = Promise.all(Array.from({ length: sideBySide }, (_, index) => visitInTurn(index)));
  return { open: () => open, done: done.then((): Visits => ({ counts, refused })) };
}
