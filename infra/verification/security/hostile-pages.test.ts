import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { processesOf } from '../../fleet/webkit/processes.ts';
import { percentile } from '../bench/latency.ts';
import { systemClient, type SystemClient } from '../bench/system/system-client.ts';
import { hostilePages, smallBounds } from '../hostile-pages/catalogue.ts';
import { statusOf, visit, workOn, type Took } from '../hostile-pages/customer.ts';
import { startHostileSite, type HostileSite } from '../hostile-pages/site.ts';
import { startStack, tempDir, until, type TestStack } from '../testbed/index.ts';

const environment = {
  ...smallBounds,
  DRIVER: 'webkit',
  OUTBOUND_ALLOW: '127.0.0.0/8',
  RATE_LIMITS: 'off',
  WARM_BROWSERS: '1',
  // Short time limit for pages that never answer.
  NODE_OPERATION_GRACE: '1s',
  OPERATION_TIMEOUT_GRACE: '2s',
};
/** The neighbour's browser and the one in the pool. */
const others = 2;
/** Memory that V8 and the sockets may keep in the node; a leaked page would be more. */
const nodeSlackMb = 80;
/** Maximal growth of the node's log by one page and the neighbour's work. */
const mostLogged = 64 * 1024;

/** Beside a hostile page, an operation may take that many times as long as usual, plus that many milliseconds. */
const slower = { times: 5, plusMs: 200 };

describe('a hostile page of one account', function () {
  this.timeout(240_000);
  const runtimeDir = tempDir('webkit');
  const usual: Took[] = [];
  let site: HostileSite;
  let stack: TestStack;
  let neighbour: SystemClient;
  let visitor: SystemClient;
  let session: string;
  let nodeMb: number;

  const work = () => workOn(neighbour, session, site);
  /** Directories of live browsers, once their number is as expected and no process belongs to another one. */
  const settled = () =>
    until(() => {
      const left = readdirSync(runtimeDir);
      const of = left.flatMap((directory) => processesOf(join(runtimeDir, directory)));
      return left.length === others && processesOf(runtimeDir).length === of.length;
    });

  before(async () => {
    [site, stack] = await Promise.all([
      startHostileSite(),
      startStack({ env: { ...environment, WEBKIT_RUNTIME_DIR: runtimeDir }, limitMs: 180_000 }),
    ]);
    const accounts = await Promise.all([stack.account('enterprise'), stack.account('enterprise')]);
    const [one, other] = accounts.map(({ api_key }) => systemClient(stack.baseUrl, api_key));
    if (!one || !other) throw new Error('There are two.');
    [neighbour, visitor] = [one, other];
    session = await neighbour.create();
    await work();
    await settled();
    nodeMb = residentMb(stack.processes.node);
  });
  after(async () => {
    await Promise.all([neighbour.close(), visitor.close()]);
    await stack.stop();
    await site.close();
  });

  for (const page of hostilePages)
    it(`harms no other: ${page.name}`, async () => {
      usual.push(...(await work()));
      const hostile = await visitor.create();
      const before = boundsPassed(stack).length;
      const logged = statSync(logOf(stack)).size;
      const visiting = visit(visitor, hostile, site, page);
      const beside = [...(await work()), ...(await work())];
      if (page.passes) {
        await until(async () => (await statusOf(visitor, hostile)) === 'errored');
        expect(boundsPassed(stack).slice(before)).to.deep.equal([page.passes]);
      }
      await visiting;
      await visitor.end(hostile);
      expect(medianOf(beside)).to.be.below(medianOf(usual) * slower.times + slower.plusMs);
      expect(await statusOf(neighbour, session)).to.equal('ready');
      expect(statSync(logOf(stack)).size - logged).to.be.below(mostLogged);
      await settled();
      await until(() => residentMb(stack.processes.node) < nodeMb + nodeSlackMb);
    });

  it('has not ended any process of the service, nor the neighbour’s browser', async () => {
    expect(readFileSync(join(stack.dataDir, 'output'), 'utf8')).not.to.include('starting it again');
    await work();
  });
});

const medianOf = (took: readonly Took[]): number =>
  percentile(
    took.map(({ milliseconds }) => milliseconds),
    0.5,
  );

const logOf = ({ dataDir }: TestStack): string => join(dataDir, 'logs', 'node.log');

/** The reports of the node, in their order. */
function boundsPassed(stack: TestStack): readonly string[] {
  const said = readFileSync(logOf(stack), 'utf8').split('\n').filter(Boolean);
  return said.flatMap((line) => {
    const { bound } = JSON.parse(line) as { readonly bound?: string };
    return bound === undefined ? [] : [bound];
  });
}

const residentMb = (pid = 0): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
