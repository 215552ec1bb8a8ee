import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { withLimits } from './limits.ts';
import { inNamespaces } from './namespaces.ts';
import { debianBinaries } from './requirements.ts';

describe('a process with the limits of a browser', () => {
  const run = (script: string, fileBytes: number) => {
    const directory = tempDir('limits');
    const around = inNamespaces(debianBinaries.bubblewrap, { directory, readable: [] });
    const [program = '', ...args] = [...withLimits({ groups: [], fileBytes }), ...around];
    const { status, signal, stdout } = spawnSync(program, [...args, '/bin/sh', '-c', script], {
      encoding: 'utf8',
    });
    return { directory, status, signal, stdout };
  };

  it('has a number of open files that it cannot raise', () => {
    const { stdout } = run('ulimit -n; ulimit -Hn; ulimit -n 8192 2>/dev/null || echo refused', 2 ** 20);
    expect(stdout).to.equal('4096\n4096\nrefused\n');
  });

  it('fails to write beyond the maximal size of a file, and survives that', () => {
    const { directory, status, stdout } = run(
      'head -c 3M /dev/zero > file 2>/dev/null || echo failed; echo on >&1',
      2 ** 20,
    );
    expect(stdout).to.equal('failed\non\n');
    expect(status).to.equal(0);
    expect(statSync(join(directory, 'file')).size).to.equal(2 ** 20);
  });
});
