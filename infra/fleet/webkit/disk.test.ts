import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { tempDir, until } from '../../verification/testbed/index.ts';
import { createDiskLook, heldBy } from './disk.ts';
import { logger } from './testing/browser.ts';

const mebibyte = 1024 * 1024;
const enough = 1024 * mebibyte;

describe("a browser's disk usage", () => {
  it('counts files at any depth, each once and with 16 KiB at least', async () => {
    const directory = tempDir('disk');
    mkdirSync(join(directory, 'a/b'), { recursive: true });
    writeFileSync(join(directory, 'a/b/large'), Buffer.alloc(3 * mebibyte, 1));
    linkSync(join(directory, 'a/b/large'), join(directory, 'again'));
    for (let n = 0; n < 10; n += 1) writeFileSync(join(directory, 'a', `empty-${n}`), '');
    const elsewhere = tempDir('elsewhere');
    writeFileSync(join(elsewhere, 'large'), Buffer.alloc(9 * mebibyte, 1));
    symlinkSync(elsewhere, join(directory, 'link'));
    // Two directories, the symbolic link and the empty files.
    const small = 13 * 16 * 1024;
    const held = await heldBy(directory, [], enough);
    expect(held).to.be.within(3 * mebibyte + small, 3.1 * mebibyte + small);
  });

  it('includes open files, even removed ones', async () => {
    const directory = tempDir('disk');
    const path = join(directory, 'file');
    writeFileSync(path, Buffer.alloc(2 * mebibyte, 1));
    const reader = spawn('/bin/sh', ['-c', 'exec 3< file 4< file; echo open; exec sleep 60'], {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(reader.stdout, 'data');
    rmSync(path);
    const pids = [reader.pid ?? 0];
    expect(await heldBy(directory, pids, enough)).to.be.within(2 * mebibyte, 2.1 * mebibyte);
    reader.kill();
    await once(reader, 'exit');
    expect(await heldBy(directory, pids, enough)).to.equal(0);
  });

  it('is only counted up to the limit', async () => {
    const directory = tempDir('disk');
    for (let n = 0; n < 100; n += 1) writeFileSync(join(directory, `${n}`), '');
    expect(await heldBy(directory, [], 5 * 16 * 1024)).to.equal(6 * 16 * 1024);
  });

  it('is counted again when the file system has lost some of its free space', async () => {
    const browser = { directory: join(tempDir('disk'), 'browser') };
    mkdirSync(browser.directory);
    const passed: number[] = [];
    const most = 16 * mebibyte;
    const lookAtDisk = createDiskLook<typeof browser>(most, logger);
    const look = () => lookAtDisk([{ browser, pids: [] }], (_browser, used) => void passed.push(used));
    await look();
    expect(passed).to.deep.equal([]);
    writeFileSync(join(browser.directory, 'large'), Buffer.alloc(20 * mebibyte, 1));
    // Other processes may free space meanwhile.
    await until(async () => {
      await look();
      return passed.length > 0;
    });
    expect(passed[0]).to.be.above(most);
  });
});
