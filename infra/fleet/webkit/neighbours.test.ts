import { readFileSync, readdirSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import { tempDir, until } from '../../verification/testbed/index.ts';
import { mostConnections } from '../../outbound/proxy.ts';
import { openControlGroups } from './control-groups.ts';
import { processesOf } from './processes.ts';
import { launch, run, startDriver } from './testing/browser.ts';
import { servePages } from './testing/pages.ts';

const spinning = (workers: number) => `<title>Spins</title><script>
  const program = URL.createObjectURL(new Blob(['for (;;);']));
  const kept = Array.from({ length: ${workers} }, () => new Worker(program));
</script>`;

/** Processor time of the processes, in ticks. */
function ticksOf(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((all, one) => all + one, 0);
}

describe('a browser beside one that uses all it can get', () => {
  it('has its share of the processors, however many threads the other one has', async () => {
    const site = await servePages({ '/many': spinning(64), '/one': spinning(1) });
    const runtimeDir = tempDir('webkit');
    const driver = await startDriver({ runtimeDir });
    const [greedy, other] = [await launch(driver), await launch(driver)];
    await run(greedy, 'navigate', { url: new URL('/many', site.url).href });
    const ofBoth = readdirSync(runtimeDir).map((name) => processesOf(`${runtimeDir}/${name}`));
    await run(other, 'navigate', { url: new URL('/one', site.url).href });
    const ticks = () => ofBoth.map(ticksOf);
    const from = ticks();
    // Independent of other load: both are compared after three seconds of processor time together.
    const [first = 0, second = 0] = await until(
      () => {
        const had = ticks().map((now, index) => now - (from[index] ?? 0));
        return had.reduce((all, one) => all + one, 0) > 300 && had;
      },
      { limitMs: 60_000, everyMs: 50 },
    );
    // If threads were weighed, one thread beside 64 would get a sixtieth.
    expect(Math.min(first, second) / (first + second)).to.be.above(0.15);
    await Promise.all([greedy.close(), other.close()]);
    await driver.close();
    await site.close();
  });

  it('has most of the processors while only it has an operation', async () => {
    const site = await servePages({ '/': spinning(16) });
    const runtimeDir = tempDir('webkit');
    const driver = await startDriver({ runtimeDir });
    const { bounds: held } = await openControlGroups(tempDir('held'), { memoryBytes: 1e9, threads: 100 });
    const launched = async () => {
      const before = new Set(readdirSync(runtimeDir));
      const browser = await launch(driver);
      await run(browser, 'navigate', { url: site.url });
      const [directory = ''] = readdirSync(runtimeDir).filter((name) => !before.has(name));
      return { browser, pids: processesOf(`${runtimeDir}/${directory}`) };
    };
    const [alone, awaited] = [await launched(), await launched()];
    const waiting = run(
      awaited.browser,
      'wait',
      { condition: { kind: 'selector', selector: '#never' } },
      60_000,
    );
    const ticks = () => [ticksOf(alone.pids), ticksOf(awaited.pids)] as const;
    let from = ticks();
    await until(
      () => {
        const to = ticks();
        const [left, given] = [to[0] - from[0], to[1] - from[1]];
        if (left + given < 100) return false;
        from = to;
        return given / (left + given) > (held.has('cpuShare') ? 0.75 : 0.15);
      },
      { limitMs: 30_000, everyMs: 50 },
    );
    await Promise.all([alone.browser.close(), awaited.browser.close(), waiting.catch(() => undefined)]);
    await driver.close();
    await site.close();
  });

  it('has connections left, however many WebSockets the other one opens', async () => {
    const open = new Set<Socket>();
    const silent = createServer((socket) => {
      open.add(socket.on('error', () => undefined).resume());
      socket.once('close', () => open.delete(socket));
    });
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const address = silent.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const site = await servePages({
      '/': '<title>Quiet</title>',
      '/sockets': `<title>Connects</title><script>
        const kept = Array.from({ length: 400 }, (_, n) => new WebSocket('ws://h' + n + '.localhost:${port}/'));
      </script>`,
    });
    const driver = await startDriver();
    const [greedy, other] = [await launch(driver), await launch(driver)];
    await run(greedy, 'navigate', { url: new URL('/sockets', site.url).href });
    await until(() => open.size > 100);
    await run(other, 'navigate', { url: site.url });
    expect(open.size).to.be.at.most(mostConnections);
    await greedy.close();
    await until(() => open.size === 0, { limitMs: 1_000 });
    await other.close();
    await driver.close();
    await site.close();
    silent.close();
  });
});
