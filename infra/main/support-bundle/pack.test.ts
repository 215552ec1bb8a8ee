import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { packBundle } from './pack.ts';

/** Packs more than a file may hold, as on a full disk. */
const script = `
  const { randomBytes } = await import('node:crypto');
  const { packBundle } = await import('./pack.ts');
  const texts = Array.from({ length: 9 }, (_, index) => [String(index), randomBytes(100_000).toString('base64')]);
  await packBundle(process.argv[1], 'folder', Object.fromEntries(texts)).catch(({ code }) => console.log(code));
`;

describe('the file of a support bundle', () => {
  it('has every file, and replaces none', async () => {
    const path = join(tempDir('bundle'), 'bundle.tar.gz');
    await packBundle(path, 'folder', { 'a.txt': 'one', 'b.txt': 'two' });
    const packed = execFileSync('tar', ['-tzf', path], { encoding: 'utf8' });
    expect(packed).to.equal('folder/a.txt\nfolder/b.txt\n');
    const whole = readFileSync(path);
    const failure: unknown = await packBundle(path, 'folder', {}).catch((error: unknown) => error);
    expect(failure).to.include({ code: 'EEXIST' });
    expect(readFileSync(path).equals(whole)).to.equal(true);
  });

  it('is not left if it cannot be written to its end', async () => {
    const directory = tempDir('bundle');
    // 200 blocks of 512 bytes. A cache of compiled modules would be cut, too.
    const limited = 'ulimit -f 200; trap "" XFSZ; exec "$@"';
    const node = ['--import', 'tsx', '--input-type=module', '-e', script, join(directory, 'bundle.tar.gz')];
    const { stdout } = await promisify(execFile)(
      '/bin/sh',
      ['-c', limited, 'sh', process.execPath, ...node],
      {
        cwd: import.meta.dirname,
        env: { ...process.env, TSX_DISABLE_CACHE: '1' },
      },
    );
    expect(stdout).to.equal('EFBIG\n');
    expect(readdirSync(directory)).to.deep.equal([]);
  });
});
