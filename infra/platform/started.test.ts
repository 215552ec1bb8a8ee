import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { started } from './started.ts';

describe('a program that is started', () => {
  it('runs', async () => {
    const child = await started(spawn('cat'));
    expect(child.pid).to.be.a('number');
    child.kill();
    await once(child, 'exit');
  });

  it('ends nothing but its own start if it cannot be started', async () => {
    const failure: unknown = await started(spawn('/no/such/program')).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error).and.to.include({ code: 'ENOENT' });
  });
});
