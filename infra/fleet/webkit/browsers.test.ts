import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import pino from 'pino';
import { parseAllowList } from '../../outbound/address-policy.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import { tempDir, until } from '../../verification/testbed/index.ts';
import { processesOf } from './processes.ts';
import { debianBinaries } from './requirements.ts';
import { failure, launch, run, startDriver } from './testing/browser.ts';
import { startTestSite, type TestSite } from './testing/site.ts';

describe('browsers of the webkit driver', () => {
  let site: TestSite;
  before(async () => {
    site = await startTestSite();
  });
  after(() => site.close());

  const processNamed = (directory: string, name: string) =>
    processesOf(directory).find((pid) => readlinkSync(`/proc/${pid}/exe`).includes(name));

  it('start with any identity, from the pool or not, and leave nothing behind', async () => {
    const runtimeDir = tempDir('webkit');
    const driver = await startDriver({ runtimeDir, poolSize: 1 });
    const browser = await launch(driver, 'iphone-16-pro-max-ios-18');
    await run(browser, 'navigate', { url: `${site.url}/identity` });
    const { data } = await run(browser, 'extract', { schema: { type: 'string', 'x-selector': '#who' } });
    expect(JSON.parse(String(data))).to.deep.include({ inner: [440, 763], screen: [440, 956] });
    const other = await launch(driver, 'iphone-se-3-ios-18');
    await run(other, 'navigate', { url: `${site.url}/identity` });
    const small = await run(other, 'extract', { schema: { type: 'string', 'x-selector': '#who' } });
    expect(JSON.parse(String(small.data))).to.deep.include({ inner: [375, 553], ratio: 2 });
    await Promise.all([browser.close(), other.close()]);
    await driver.close();
    expect(processesOf(runtimeDir)).to.deep.equal([]);
    expect(existsSync(runtimeDir)).to.equal(false);
  });

  for (const name of ['gjs', 'WebKitWebProcess', 'Xorg', 'bwrap']) {
    it(`die when ${name} is killed, and report it`, async () => {
      const runtimeDir = tempDir('webkit');
      const driver = await startDriver({ runtimeDir });
      const browser = await launch(driver);
      await run(browser, 'navigate', { url: `${site.url}/` });
      const died = new Promise<true>((resolve) => browser.onDeath(() => resolve(true)));
      const running = failure(run(browser, 'wait', { condition: { kind: 'selector', selector: '#none' } }));
      const pid = processNamed(runtimeDir, name);
      expect(pid).to.be.a('number');
      process.kill(pid ?? 0, 'SIGKILL');
      expect(await died).to.equal(true);
      expect(await running).to.include({ kind: 'driver' });
      await browser.close();
      expect(readdirSync(runtimeDir)).to.deep.equal([]);
      expect(processesOf(runtimeDir)).to.deep.equal([]);
      await driver.close();
      expect(processesOf(runtimeDir)).to.deep.equal([]);
    });
  }

  it('of an earlier run that was killed are removed at the next start', async () => {
    const runtimeDir = tempDir('webkit');
    const abandoned = await startDriver({ runtimeDir });
    const left = await launch(abandoned);
    const before = processesOf(runtimeDir);
    expect(before.length).to.be.above(3);
    const next = await startDriver({ runtimeDir });
    expect(processesOf(runtimeDir)).to.deep.equal([]);
    expect(readdirSync(runtimeDir)).to.deep.equal([]);
    await Promise.all([left.close(), abandoned.close(), next.close()]);
  });

  it('end with their node, even if it is killed', async () => {
    const runtimeDir = tempDir('webkit');
    const script = join(import.meta.dirname, 'testing', 'node-process.ts');
    const node = spawn(process.execPath, ['--import', 'tsx', script, runtimeDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(node.stdout, 'data');
    expect(processesOf(runtimeDir).length).to.be.above(4);
    node.kill('SIGKILL');
    await until(() => processesOf(runtimeDir).length === 0, { limitMs: 60_000 });
  });

  it('have a display of the size of their device, and its focus', async () => {
    const driver = await startDriver();
    for (const [archetype, width] of [
      ['iphone-16-ios-18', 393],
      ['iphone-se-3-ios-18', 375],
    ] as const) {
      const browser = await launch(driver, archetype);
      await run(browser, 'navigate', { url: `${site.url}/device` });
      const { data } = await run(browser, 'extract', { schema: { type: 'string', 'x-selector': '#who' } });
      expect(JSON.parse(String(data))).to.deep.equal({ width, focus: true, online: true });
      await browser.close();
    }
    await driver.close();
  });

  it('run without namespaces where these are unavailable, and log it', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const runtimeDir = tempDir('webkit');
    const binaries = { ...debianBinaries, bubblewrap: '/nowhere/bwrap' };
    const driver = await startDriver({ runtimeDir, logger, binaries });
    expect(lines.join()).to.include('WITHOUT namespaces').and.to.include('/nowhere/bwrap');
    const browser = await launch(driver);
    const died = new Promise<true>((resolve) => browser.onDeath(() => resolve(true)));
    await run(browser, 'navigate', { url: `${site.url}/` });
    process.kill(processNamed(runtimeDir, 'Xorg') ?? 0, 'SIGKILL');
    expect(await died).to.equal(true);
    await browser.close();
    expect(processesOf(runtimeDir)).to.deep.equal([]);
    await driver.close();
  });

  it('reach only public addresses unless the operator allows others', async () => {
    const driver = await startDriver({ guard: createOutboundGuard() });
    const browser = await launch(driver);
    for (const url of [
      `${site.url}/`,
      'http://169.254.169.254/',
      'http://localhost:1/',
      'http://2130706433/',
    ]) {
      const refused = await failure(run(browser, 'navigate', { url }));
      expect(refused).to.include({ kind: 'page', category: 'page_load_failed' });
      expect(refused.reason).to.include('OUTBOUND_ALLOW');
    }
    await browser.close();
    await driver.close();
  });

  it('reach no address by redirect, sub-resource or socket that they could not open', async () => {
    const forbidden = await startTestSite('127.0.0.2');
    const guard = createOutboundGuard({ allow: parseAllowList('127.0.0.1') });
    const driver = await startDriver({ guard });
    const browser = await launch(driver);
    for (const target of [forbidden.url, forbidden.url.replace('http', 'https'), 'http://169.254.169.254/']) {
      const refused = await failure(run(browser, 'navigate', { url: `${site.url}/redirect?to=${target}` }));
      expect(refused.reason).to.include(`${new URL(target).hostname} is not allowed`);
    }
    const titled = async (path: string) => {
      await run(browser, 'navigate', { url: `${site.url}${path}`, wait_until: 'networkidle' });
      return until(async () => {
        const { title } = await run(browser, 'state_capture', null);
        return !['Socket', 'Image'].includes(title) && title;
      });
    };
    expect(await titled(`/image?to=${site.url}/picture`)).to.equal('shown');
    expect(await titled(`/image?to=${forbidden.url}/picture`)).to.equal('broken');
    expect(await titled(`/socket?to=${site.url.replace('http', 'ws')}/ws`)).to.equal('hi');
    expect(await titled(`/socket?to=${forbidden.url.replace('http', 'ws')}/ws`)).to.equal('refused');
    expect(forbidden.requests).to.deep.equal([]);
    await browser.close();
    await driver.close();
    await forbidden.close();
  });

  it('fail with the name of the missing package', async () => {
    const binaries = { ...debianBinaries, xorg: '/nowhere/Xorg' };
    const missing: unknown = await startDriver({ binaries }).catch((error: unknown) => error);
    expect(String(missing)).to.include('/nowhere/Xorg (package xserver-xorg-core)');
    expect(String(missing)).to.include('DRIVER=simulated');
  });
});
