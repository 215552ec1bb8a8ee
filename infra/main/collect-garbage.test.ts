import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';

const script = `
  const { cachedDataVersionTag } = await import('node:v8');
  const { collectGarbage } = await import('./collect-garbage.ts');
  const before = cachedDataVersionTag();
  collectGarbage();
  console.log(cachedDataVersionTag() === before);
`;

describe('the garbage collection after a start', () => {
  it('leaves the options of V8 unchanged, so that a later process can use the compiled program that this one caches', async () => {
    // In a separate process: V8's options are global.
    const args = ['--import', 'tsx', '--input-type=module', '-e', script];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
    expect(stdout).to.equal('true\n');
  });
});
