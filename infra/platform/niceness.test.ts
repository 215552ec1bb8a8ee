import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect } from 'chai';
import { until } from '../verification/testbed/index.ts';
import { withNiceness } from './niceness.ts';

describe('a process with a given niceness', () => {
  const child = spawn('cat', { detached: true });
  after(() => child.kill());
  const pid = child.pid ?? NaN;

  it('is nice itself', () => {
    withNiceness(child, 3);
    expect(getPriority(pid)).to.equal(3);
  });

  it('has a session of the same niceness, where the kernel weighs sessions', async () => {
    const autogroup = `/proc/${pid}/autogroup`;
    // For processes without root, a kernel accepts such a change once in a tenth of a second.
    await until(() => {
      withNiceness(child, 3);
      return !existsSync(autogroup) || readFileSync(autogroup, 'utf8').trim().endsWith(' nice 3');
    });
  });

  it('is not changed by default', () => {
    withNiceness(child, 0);
    expect(getPriority(pid)).to.equal(3);
  });
});
