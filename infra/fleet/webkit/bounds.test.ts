import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import pino from 'pino';
import { tempDir, until } from '../../verification/testbed/index.ts';
import { usualBounds, watchBounds } from './bounds.ts';
import { noControlGroup } from './control-groups.ts';
import { inNamespaces } from './namespaces.ts';
import { kill, processesOf } from './processes.ts';
import { debianBinaries } from './requirements.ts';
import { launch, run, startDriver } from './testing/browser.ts';
import { servePages } from './testing/pages.ts';

const pages = {
  '/': '<title>Quiet</title>',
  // Random bytes, which can neither be shared nor compressed. Allocated in pieces, so that the page stays responsive.
  '/memory': `<title>Eats</title><script>
    const kept = [];
    setInterval(() => {
      const piece = new Uint8Array(16 * 1024 * 1024);
      for (let at = 0; at < piece.length; at += 65536) crypto.getRandomValues(piece.subarray(at, at + 65536));
      kept.push(piece);
    }, 20);
  </script>`,
  '/workers': `<title>Works</title><script>
    const program = URL.createObjectURL(new Blob(['setInterval(() => {}, 1000)']));
    const kept = [];
    setInterval(() => { for (let n = 0; n < 20; n += 1) kept.push(new Worker(program)); }, 50);
  </script>`,
  '/files': `<title>Stores</title><script>
    const opening = indexedDB.open('files', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('files', { autoIncrement: true });
    opening.onsuccess = () => {
      const piece = new Uint8Array(1024 * 1024);
      for (let at = 0; at < piece.length; at += 65536) crypto.getRandomValues(piece.subarray(at, at + 65536));
      const store = () => {
        const storing = opening.result.transaction('files', 'readwrite');
        storing.objectStore('files').add(piece);
        storing.oncomplete = store;
        storing.onabort = storing.onerror = () => setTimeout(store, 50);
      };
      store();
    };
  </script>`,
};

describe('a browser that passes a bound', () => {
  const hostile = [
    ['/memory', 'memoryBytes'],
    ['/workers', 'threads'],
    ['/files', 'diskBytes'],
  ] as const;
  const held = hostile.flatMap(([path, bound]) => [
    { path, bound, controlGroups: true, by: 'the kernel or the watch' },
    { path, bound, controlGroups: false, by: 'the watch alone' },
  ]);
  for (const { path, bound, controlGroups, by } of held)
    it(`is ended by ${by} for what ${path} takes, staff see why, and the browser beside it goes on`, async () => {
      const site = await servePages(pages);
      const runtimeDir = tempDir('webkit');
      const said: Record<string, unknown>[] = [];
      let toldAt = 0;
      const write = (line: string) => {
        said.push(JSON.parse(line) as Record<string, unknown>);
        toldAt = performance.now();
      };
      const logger = pino({ level: 'warn' }, { write });
      const bounds = { memoryBytes: 500 * 1024 * 1024, threads: 250, diskBytes: 48 * 1024 * 1024 };
      const driver = await startDriver({ runtimeDir, logger, bounds, controlGroups });
      const [greedy, other] = [await launch(driver), await launch(driver)];
      await run(other, 'navigate', { url: site.url });
      const left = processesOf(runtimeDir).length;
      const died = new Promise<void>((resolve) => greedy.onDeath(resolve));
      await run(greedy, 'navigate', { url: new URL(path, site.url).href }).catch(() => undefined);
      await died;
      await greedy.close();
      const freedAt = performance.now();
      const [ended] = said.filter(({ msg }) => String(msg).startsWith('A browser exceeded a limit'));
      expect(ended).to.include({ bound, most: bounds[bound] });
      if (ended?.by !== 'kernel') expect(Number(ended?.used)).to.be.above(bounds[bound]);
      if (!controlGroups) expect(ended?.by).to.equal('watch');
      expect((await run(other, 'state_capture', null)).title).to.equal('Quiet');
      // Within a second all of its processes and directories are gone.
      expect(freedAt - toldAt).to.be.within(0, 1_000);
      expect(processesOf(runtimeDir).length).to.be.below(left);
      expect(readdirSync(runtimeDir)).to.have.length(1);
      await other.close();
      await driver.close();
      await site.close();
    });

  it('is measured with all of its processes, including its X server', async () => {
    const runtimeDir = tempDir('webkit');
    const driver = await startDriver({ runtimeDir });
    const browser = await launch(driver);
    const processes = processesOf(runtimeDir);
    const sessionOf = (pid: number) =>
      /\) . \d+ \d+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1];
    const names = processes.map((pid) => readFileSync(`/proc/${pid}/comm`, 'latin1').trim());
    expect(names).to.include.members(['Xorg', 'gjs', 'WebKitWebProces']);
    expect(new Set(processes.map(sessionOf)).size).to.equal(1);
    await browser.close();
    await driver.close();
  });

  it('is measured with processes that have left its session and their parent', async () => {
    const directory = tempDir('webkit');
    const [program = '', ...args] = inNamespaces(debianBinaries.bubblewrap, { directory, readable: [] });
    // 64 MiB in the text of a shell, which runs in a session of its own and is no child of the browser.
    const greedy = `kept=$(head -c ${64 * 1024 * 1024} /dev/zero | tr '\\0' a); sleep 60; echo "$kept"`;
    const script = `(setsid sh -c '${greedy.replaceAll("'", String.raw`'\''`)}' > /dev/null &); sleep 60`;
    const first = spawn(program, [...args, '/bin/sh', '-c', script], { detached: true, stdio: 'ignore' });
    const session = first.pid ?? 0;
    let ended = false;
    const bounds = { ...usualBounds, memoryBytes: 32 * 1024 * 1024 };
    const watch = watchBounds(bounds, pino({ level: 'silent' }));
    const stop = watch.watch({
      session,
      directory,
      group: noControlGroup,
      end: () => (ended = true),
    });
    const gone = once(first, 'exit');
    try {
      await until(() => ended);
    } finally {
      stop();
      kill(-session);
      await gone;
    }
  });

  it('is found by the next sample after one fails, for example for lack of file descriptors', async () => {
    const said: string[] = [];
    const logger = pino({}, { write: (line: string) => void said.push(line) });
    let samples = 0;
    const passed = () => {
      samples += 1;
      if (samples === 1) throw new Error('EMFILE');
      return 'memoryBytes' as const;
    };
    let ended = false;
    const end = () => void (ended = true);
    const browser = { session: 0, directory: '', group: { passed }, end };
    const stop = watchBounds(usualBounds, logger).watch(browser);
    await until(() => ended);
    stop();
    expect(said.join()).to.include('cannot be measured').and.include('exceeded a limit');
  });

  it('is listed with its current use while it is watched', async () => {
    const sleeps = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    const gone = once(sleeps, 'exit');
    const watch = watchBounds(usualBounds, pino({ level: 'silent' }));
    const browser = {
      session: sleeps.pid ?? 0,
      directory: tempDir('webkit'),
      group: noControlGroup,
      end: () => undefined,
    };
    const stop = watch.watch(browser);
    try {
      const { memoryBytes, ...use } = await until(() => watch.uses().find(({ threads }) => threads > 0));
      expect(use).to.deep.equal({ browser, threads: 1 });
      expect(memoryBytes).to.be.within(1, 16 * 1024 * 1024);
    } finally {
      stop();
      kill(-browser.session);
      await gone;
    }
    expect(watch.uses()).to.deep.equal([]);
  });
});
