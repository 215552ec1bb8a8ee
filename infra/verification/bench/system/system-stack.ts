import { mkdir } from 'node:fs/promises';
import { readStack } from '../../../main/supervisor/stack-file.ts';
import { startStack, type TestStack } from '../../testbed/index.ts';
import type { Bench } from '../subject.ts';
import { systemClient, type SystemClient } from './system-client.ts';

/** The whole service in processes of its own, and a client without rate limits. */
export interface SystemUnderTest {
  readonly stack: TestStack;
  readonly client: SystemClient;
  /** Id of the client's account. */
  readonly apiKey: string;
  /** Connection strings. */
  readonly stores: { readonly events: string; readonly postgres: string };
}

const defaults = { RATE_LIMITS: 'off', LOG_LEVEL: 'warn', NODE_CAPACITY: '1000' };
const sessionsOfOneAccount = '20000';
/** Milliseconds; a start with `nice` on a shared machine is slow. */
const startLimitMs = 240_000;

/** Starts it, runs `work` and always stops it. */
export async function onSystem<T>(
  { directory }: Pick<Bench, 'directory'>,
  env: Readonly<Record<string, string>>,
  work: (system: SystemUnderTest) => Promise<T>,
): Promise<T> {
  await mkdir(directory, { recursive: true });
  const stack = await startStack({ dataDir: directory, limitMs: startLimitMs, env: { ...defaults, ...env } });
  try {
    const { account_id, api_key } = await stack.account('enterprise');
    const limit = ['--limit', sessionsOfOneAccount];
    await stack.service('account', 'override-concurrency', '--account', account_id, ...limit);
    const client = systemClient(stack.baseUrl, api_key);
    try {
      return await work({ stack, client, apiKey: api_key, stores: storesOf(stack) });
    } finally {
      await client.close();
    }
  } finally {
    await stack.stop();
  }
}

function storesOf({ dataDir }: TestStack): SystemUnderTest['stores'] {
  const { EVENTSTORE_URL: events, POSTGRES_URL: postgres } = readStack(dataDir)?.environment ?? {};
  if (events === undefined || postgres === undefined) throw new Error('The stack does not tell its stores.');
  return { events, postgres };
}
