import { setTimeout as delay } from 'node:timers/promises';
import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages';
import {
  planning,
  startModelProvider,
  usingTool,
  type TestModelProvider,
} from '../../testbed/model-provider.ts';
import { inFlight } from '../load.ts';
import { timed } from '../latency.ts';
import type { Bench } from '../subject.ts';
import { systemClient, type SystemClient } from '../system/system-client.ts';
import { total, usedBy } from '../system/system-processes.ts';
import { onSystem } from '../system/system-stack.ts';

/** The whole service with simulated browsers, and a model provider on loopback whose plans have one step. */
export interface AgentsUnderTest {
  /** Ids of new agent sessions, each with the browser that its first turn has started. */
  open(count: number): Promise<readonly string[]>;
  /** Sends a message, and returns the milliseconds until it was executed. */
  say(agentSession: string): Promise<number>;
  /** Sets the provider's response time; the default is none. */
  providerTakes(milliseconds: number): void;
  /**
   * From now on each turn has `count` rounds of one step, on two pages alternately; one turn at a time. Its calls go to `onCall`.
   */
  providerTakesRounds(count: number, onCall?: (body: MessageCreateParams) => void): void;
  /** Number of events in the stream of an agent session. */
  eventsOf(agentSession: string): Promise<number>;
  /** URL of the log, and the directory with its file. */
  readonly eventStore: string;
  readonly dataDir: string;
  /** CPU time so far of all processes of the service. */
  cpuMs(): number;
}

const plan = planning([{ kind: 'navigate', url: 'http://sim.test/' }]);
/** More than any bench uses. */
const budget = 1_000_000_000;
/** Sessions that are opened at the same time. */
const openedAtOnce = 8;

export async function onAgents<T>(
  { directory }: Pick<Bench, 'directory'>,
  work: (agents: AgentsUnderTest) => Promise<T>,
): Promise<T> {
  const provider = await startModelProvider();
  answering(provider, 0);
  const env = { LLM_BASE_URL: provider.url, OUTBOUND_ALLOW: '127.0.0.0/8', DECOMPOSER: 'model' };
  try {
    return await onSystem({ directory }, env, async ({ stack, apiKey, stores }) => {
      const client = systemClient(stack.baseUrl, apiKey, { 'x-byok-llm-api-key': 'bench-key' });
      const say = (id: string) => timed(() => carryOut(client, id));
      try {
        return await work({
          say,
          open: (count) => openEach(client, count),
          providerTakes: (milliseconds) => answering(provider, milliseconds),
          providerTakesRounds: (count, onCall) => answeringInRounds(provider, count, onCall),
          eventsOf: async (id) => {
            const { stdout } = await stack.service('agents', 'replay', id, '--json');
            return (JSON.parse(stdout) as { readonly events: number }).events;
          },
          eventStore: stores.events,
          dataDir: stack.dataDir,
          cpuMs: () => 1000 * total(usedBy(stack.processes)).cpuSeconds,
        });
      } finally {
        await client.close();
      }
    });
  } finally {
    await provider.close();
  }
}

async function carryOut(client: SystemClient, id: string): Promise<void> {
  const body = { user_message: 'Show me the shop.' };
  const { text } = await client.call('POST', `/v1/agent-sessions/${id}/message`, body);
  const { ok } = JSON.parse(text) as { readonly ok?: boolean };
  if (ok !== true) throw new Error(`A turn came to nothing: ${text}`);
}

async function openEach(client: SystemClient, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  await inFlight(count, openedAtOnce, async () => {
    const { text } = await client.call('POST', '/v1/agent-sessions', { token_budget: budget });
    const { id } = JSON.parse(text) as { readonly id: string };
    await carryOut(client, id);
    ids.push(id);
  });
  return ids;
}

const answering = (provider: TestModelProvider, milliseconds: number): void =>
  provider.otherwise(async (response, body) => {
    if (milliseconds > 0) await delay(milliseconds);
    await plan(response, body);
  });

const pages = ['http://sim.test/form', 'http://sim.test/'] as const;

function answeringInRounds(
  provider: TestModelProvider,
  count: number,
  onCall: (body: MessageCreateParams) => void = () => undefined,
): void {
  let round = 0;
  provider.otherwise(async (response, body) => {
    onCall(body);
    round = (round % count) + 1;
    const intents = [{ kind: 'navigate', url: pages[round % pages.length] }];
    await usingTool({ decision: 'plan', intents, after: round < count ? 'look' : 'done' })(response, body);
  });
}

/** Runs that many turns in sequence and returns the milliseconds of each. */
export async function turnsOn(
  { say }: Pick<AgentsUnderTest, 'say'>,
  id: string,
  count: number,
): Promise<number[]> {
  const took: number[] = [];
  while (took.length < count) took.push(await say(id));
  return took;
}
