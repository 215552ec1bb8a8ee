import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { tempDir } from '../testbed/index.ts';
import { planning, startModelProvider, type TestModelProvider } from '../testbed/model-provider.ts';
import { connect, type Client } from '../faults/client.ts';
import { startLoad, type Errands } from './errands.ts';
import { openCounter, visit } from './restoring.ts';
import { startScaledStack, type ScaledStack } from './scaled-stack.ts';

/** Order of restarts in the documentation of upgrades. */
const order = ['projector', 'processes', 'worker', 'write-api', 'read-api', 'gateway', 'node'] as const;
/** Pause between two begins of a task, for some 50 requests a second. */
const everyMs = 200;
const thinkingMs = 2_000;
const mostMs = 1_000;

/** The checkout of another release, with this one's dependencies: `UPGRADE_FROM` is a revision of git. */
function earlier(revision: string): string {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const tree = tempDir('earlier');
  execFileSync('sh', ['-euc', 'git archive "$1" | tar -x -C "$2"', 'sh', revision, tree], { cwd: root });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  return tree;
}
const { UPGRADE_FROM } = process.env;

const thinking: Errands = {
  'a turn that waits for its model': async ({ agents }) => {
    const agent = await agents.create();
    expect(await agent.send('Show me the shop.')).to.include({ ok: true });
    await agent.end();
  },
};

describe('a rolling restart of every role under load', function () {
  this.timeout(900_000);
  let provider: TestModelProvider;
  let stack: ScaledStack;
  let load: ReturnType<typeof startLoad>;
  let client: Client;

  before(async () => {
    provider = await startModelProvider();
    const plan = planning([{ kind: 'navigate', url: 'http://sim.test/' }]);
    provider.otherwise(async (response, body) => {
      await delay(thinkingMs);
      await plan(response, body);
    });
    const env = { LLM_BASE_URL: provider.url, OUTBOUND_ALLOW: '127.0.0.0/8' };
    stack = await startScaledStack({ env, ...(UPGRADE_FROM && { tree: earlier(UPGRADE_FROM) }) });
    const account = await stack.account();
    client = connect(stack, account);
    load = startLoad({
      ...{ baseUrl: stack.baseUrl, apiKey: account.api_key, everyMs, also: thinking },
      fetch: (url, init) =>
        fetch(url, { ...init, headers: { ...init.headers, 'x-byok-llm-api-key': 'customer-key' } }),
    });
    await load.goesOn();
    await stack.migrate();
  });
  after(async () => {
    await stack.stop();
    await provider.close();
  });

  for (const role of order)
    it(`fails no request while one ${role} after the other is restarted`, async () => {
      for (const member of stack.members.filter((each) => each.role === role)) {
        expect(await member.restart(), member.name).to.equal(0);
        await load.goesOn();
      }
      expect(load.failed).to.deep.equal([]);
    });

  it('loses no visit of eight profiles on each node whose sessions end while it is stopped', async () => {
    const names = Array.from({ length: 16 }, (_, index) => `profile ${index}`);
    const created = await Promise.all(names.map((name) => client.call('POST /v1/profiles', { name })));
    const profiles = created.map(({ json }) => String(json.id));
    for (const [index, node] of stack.members.filter(({ role }) => role === 'node').entries()) {
      const open = await Promise.all(profiles.map((profile) => openCounter(client, profile)));
      expect(new Set(open.map(({ count }) => count))).to.deep.equal(new Set([String(index + 1)]));
      const stopped = node.restart();
      await Promise.all(open.map(({ leave }) => leave()));
      expect(await stopped).to.equal(0);
    }
    for (const profile of profiles) expect(await visit(client, profile)).to.equal('3');
  });

  it('answers meanwhile as fast as promised', async () => {
    const figures = await load.stop();
    process.stdout.write(`      ${JSON.stringify(figures)}\n`);
    expect(figures.p99).to.be.at.most(mostMs);
  });
});
