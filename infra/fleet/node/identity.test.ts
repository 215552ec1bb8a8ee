import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { nodeCredential } from './identity.ts';

describe('the credential of a node', () => {
  it('is made at the first start, for its owner alone, and stays', async () => {
    const dataDir = join(tempDir('node'), 'new');
    const made = await nodeCredential(dataDir);
    expect(readdirSync(dataDir)).to.deep.equal(['credential']);
    expect(statSync(join(dataDir, 'credential')).mode & 0o777).to.equal(0o600);
    expect(await nodeCredential(dataDir)).to.equal(made);
  });

  it('is made in place of an empty file, as a full disk left it, and of nothing else', async () => {
    const dataDir = tempDir('node');
    const path = join(dataDir, 'credential');
    writeFileSync(path, '');
    expect(await nodeCredential(dataDir)).to.equal(readFileSync(path, 'utf8'));
    writeFileSync(path, 'cut');
    const failure: unknown = await nodeCredential(dataDir).catch((error: unknown) => error);
    expect(String(failure)).to.include('does not hold a credential');
    expect(readFileSync(path, 'utf8')).to.equal('cut');
  });
});
