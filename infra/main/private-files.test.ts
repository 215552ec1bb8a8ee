import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { tempDir } from '../verification/testbed/index.ts';
import { makePrivate, SharedDirectory } from './private-files.ts';

describe('the files of the service', () => {
  const modeOf = (path: string) => statSync(path).mode & 0o7777;

  it('lose the permissions for others that an earlier release left, at any depth, and programs stay executable', async () => {
    const dataDir = tempDir('wide');
    mkdirSync(join(dataDir, 'logs', 'old'), { recursive: true });
    for (const [path, mode] of [
      ['logs/gateway.log', 0o644],
      ['logs/old/gateway.log', 0o666],
      ['run', 0o755],
    ] as const) {
      writeFileSync(join(dataDir, path), '');
      chmodSync(join(dataDir, path), mode);
    }
    for (const path of ['logs/old', 'logs', '']) chmodSync(join(dataDir, path), 0o755);
    expect(await makePrivate(dataDir)).to.deep.equal([]);
    for (const path of readdirSync(dataDir, { recursive: true, encoding: 'utf8' }))
      expect(modeOf(join(dataDir, path)) & 0o077, path).to.equal(0);
    expect(modeOf(dataDir)).to.equal(0o700);
    expect(modeOf(join(dataDir, 'run'))).to.equal(0o700);
  });

  it('are not changed through links that leave their directory', async () => {
    const dataDir = tempDir('linked');
    const elsewhere = join(tempDir('elsewhere'), 'file');
    writeFileSync(elsewhere, '');
    chmodSync(elsewhere, 0o644);
    symlinkSync(elsewhere, join(dataDir, 'link'));
    await makePrivate(dataDir);
    expect(modeOf(elsewhere)).to.equal(0o644);
  });

  it('are not kept in a directory that all users share', async () => {
    const dataDir = tempDir('shared');
    chmodSync(dataDir, 0o1777);
    const error = await makePrivate(dataDir).catch((failure: unknown) => failure);
    expect(error).to.be.instanceOf(SharedDirectory);
    expect(modeOf(dataDir)).to.equal(0o1777);
  });
});
