import { randomUUID } from 'node:crypto';
import type { Archetype } from '../../contracts/resources/archetype.ts';
import type { Intent } from '../../contracts/resources/agent-turn.ts';
import { toId } from '../../contracts/ids.ts';
import { limitsOf, type Browser, type Driver } from '../fleet/node/driver.ts';
import type { Grammar } from '../model/port.ts';

const page = 'http://sim.test/';
const operationMs = 5_000;

interface Browsing {
  /** A simulated one, in this process, without a customer's session. */
  readonly driver: Pick<Driver, 'launch'>;
  readonly archetype: Archetype;
}

async function withBrowser({ driver, archetype }: Browsing, use: (browser: Browser) => Promise<unknown>) {
  const session = toId('session', randomUUID());
  const browser = await driver.launch(session, archetype, {
    uploads: { find: () => undefined },
    tenant: 'probe',
  });
  try {
    await use(browser);
  } finally {
    await browser.close();
  }
}

async function visit({ operations }: Browser, url: string): Promise<void> {
  const navigated = await operations.navigate(
    { url, wait_until: 'load', timeout_ms: operationMs },
    limitsOf(operationMs),
  );
  if (navigated.status !== 200) throw new Error(`The page answered ${navigated.status}.`);
}

async function capture({ operations }: Browser, kind: 'dom_snapshot' | 'screenshot'): Promise<void> {
  const { byte_size } = await operations.capture({ kind }, limitsOf(operationMs));
  if (byte_size === 0) throw new Error('A capture is empty.');
}

/** Creates, drives and ends a browser. */
export const browsingProbe = (browsing: Browsing) => (): Promise<void> =>
  withBrowser(browsing, async (browser) => {
    await visit(browser, page);
    await capture(browser, 'dom_snapshot');
  });

/** The same by an agent: a message becomes steps, which are executed. */
export const agentProbe = (browsing: Browsing & { readonly grammar: Grammar }) => async (): Promise<void> => {
  const plan = browsing.grammar(`Go to ${page}\nTake a screenshot`);
  if (!plan.covers) throw new Error('A plain message was not understood.');
  await withBrowser(browsing, async (browser) => {
    for (const intent of plan.intents) await carryOut(browser, intent);
  });
};

async function carryOut(browser: Browser, intent: Intent): Promise<void> {
  if (intent.kind === 'navigate') await visit(browser, intent.url);
  else if (intent.kind === 'capture') await capture(browser, 'screenshot');
  else throw new Error(`A plain message became a step ${intent.kind}.`);
}
