import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { totalmem } from 'node:os';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { machineMemory } from './machine-memory.ts';

const meminfo = 'MemTotal:        1000 kB\nMemFree:          10 kB\nMemAvailable:     800 kB\n';

/** A root directory with these files of `/proc` and `/sys`. */
function machineWith(files: Readonly<Record<string, string>>): string {
  const root = tempDir('machine');
  for (const [path, content] of Object.entries({ 'proc/meminfo': meminfo, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

describe('the available memory', () => {
  const kB = 1024;

  it('is that of the machine where no control group has a lower limit', () => {
    expect(machineMemory(machineWith({}))).to.deep.equal({ total: 1000 * kB, available: 800 * kB });
    const unlimited = machineWith({
      'proc/self/cgroup': '4:memory:/a\n0::/a\n',
      'sys/fs/cgroup/a/memory.max': 'max\n',
      'sys/fs/cgroup/a/memory.current': '5000\n',
      'sys/fs/cgroup/memory/a/memory.limit_in_bytes': '9223372036854771712\n',
      'sys/fs/cgroup/memory/a/memory.usage_in_bytes': '5000\n',
    });
    expect(machineMemory(unlimited)).to.deep.equal({ total: 1000 * kB, available: 800 * kB });
  });

  it('is that of the smallest control group (version 2), of which reclaimable files are available', () => {
    const root = machineWith({
      'proc/self/cgroup': '0::/pod/node\n',
      'sys/fs/cgroup/pod/node/memory.max': 'max\n',
      'sys/fs/cgroup/pod/memory.max': String(500 * kB),
      'sys/fs/cgroup/pod/memory.current': String(400 * kB),
      'sys/fs/cgroup/pod/memory.stat': `anon 1\ninactive_file ${50 * kB}\n`,
    });
    expect(machineMemory(root)).to.deep.equal({ total: 500 * kB, available: 150 * kB });
  });

  it('is that of a group of version 1, which a container sees as its root', () => {
    const root = machineWith({
      'proc/self/cgroup': '5:cpu,memory:/docker/abc\n0::/\n',
      'sys/fs/cgroup/memory/memory.limit_in_bytes': String(300 * kB),
      'sys/fs/cgroup/memory/memory.usage_in_bytes': String(400 * kB),
      'sys/fs/cgroup/memory/memory.stat': `inactive_file 7\ntotal_inactive_file ${10 * kB}\n`,
    });
    expect(machineMemory(root)).to.deep.equal({ total: 300 * kB, available: 0 });
  });

  it('can be read on this machine', () => {
    const { total, available } = machineMemory();
    expect(total).to.be.above(0).and.at.most(totalmem());
    expect(available).to.be.above(0).and.at.most(total);
  });
});
