import { chmodSync, copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { debianBinaries } from './requirements.ts';
import { launch, run, startDriver } from './testing/browser.ts';

describe('a node with browsers', () => {
  const driverWith = async (gjs: string) => {
    const runtimeDir = tempDir('webkit');
    const driver = await startDriver({ runtimeDir, binaries: { ...debianBinaries, gjs } });
    return { driver, runtimeDir };
  };

  it('starts programs at configured paths', async () => {
    const gjs = join(tempDir('own-build'), 'gjs');
    copyFileSync(debianBinaries.gjs, gjs);
    const { driver } = await driverWith(gjs);
    await driver.ready();
    const browser = await launch(driver);
    expect(await run(browser, 'state_capture', null)).to.include({ url: 'about:blank' });
    await browser.close();
    await driver.close();
  });

  it('is ready once a browser has started, which is removed if the pool has no room for it', async () => {
    const { driver, runtimeDir } = await driverWith(debianBinaries.gjs);
    await driver.ready();
    expect(readdirSync(runtimeDir)).to.deep.equal([]);
    await driver.close();
  });

  it('is not ready if a program does not start; the error has its output and its setting', async () => {
    const gjs = join(tempDir('broken-build'), 'gjs');
    writeFileSync(gjs, '#!/bin/sh\necho "libmozjs is not there" >&2\nexit 3\n');
    chmodSync(gjs, 0o755);
    const { driver, runtimeDir } = await driverWith(gjs);
    const why: unknown = await driver.ready().catch((error: unknown) => error);
    expect(String(why)).to.include('libmozjs is not there').and.include(`${gjs} (WEBKIT_GJS_BINARY)`);
    expect(readdirSync(runtimeDir)).to.deep.equal([]);
    rmSync(gjs);
    const gone: unknown = await driver.ready().catch((error: unknown) => error);
    expect(String(gone)).to.include(`${gjs} (WEBKIT_GJS_BINARY)`);
    await driver.close();
  });
});
