import { linkNames, startLinks, type LinkName } from './stack-links.ts';
import { startStores, type StackStores } from './stack-stores.ts';
import { startStack, type StackOptions, type TestStack } from './stack.ts';
import type { TcpProxy } from './tcp-proxy.ts';
import { tempDir } from './temp-dir.ts';

export interface FaultyStackOptions extends StackOptions {
  /** Where to put proxies; everywhere but `redis` by default. Naming `redis` puts the queue there. */
  readonly through?: readonly LinkName[];
}

/** A stack on stores of the testbed, behind proxies, whose processes, fault switches and disks the test controls. */
export interface FaultyStack extends TestStack {
  readonly stores: StackStores;
  /** @throws if the stack was started without a proxy there */
  link(name: LinkName): TcpProxy;
  /** Heals every link. */
  heal(): Promise<void>;
}

export async function startFaultyStack(options: FaultyStackOptions = {}): Promise<FaultyStack> {
  const { dataDir = tempDir('stack'), env } = options;
  const { through = linkNames.filter((name) => name !== 'redis') } = options;
  const stores = await startStores(dataDir, through.includes('redis'));
  const links = await startLinks(through, stores);
  const direct = { EVENTSTORE_URL: stores.eventStore.url, POSTGRES_URL: stores.postgres.url };
  const stop = async () => {
    await stores.stop();
    await links.close();
  };
  try {
    const stack = await startStack(
      { ...options, dataDir, env: { ...direct, ...links.environment, ...env } },
      { processes: stores.processes, heal: links.heal, stop },
    );
    return Object.assign(stack, { stores, link: links.link, heal: links.heal });
  } catch (error) {
    await stop();
    throw error;
  }
}
