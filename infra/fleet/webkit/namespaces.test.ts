import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { inNamespaces } from './namespaces.ts';
import { debianBinaries } from './requirements.ts';

interface Mount {
  readonly place: string;
  readonly type: string;
  readonly options: readonly string[];
}

const mountOf = (line: string): Mount => {
  const [, place = '', type = '', options = ''] = line.split(' ');
  return { place, type, options: options.split(',') };
};

describe('a browser in namespaces', () => {
  it('can only write to its own directory, and to memory that has a size limit', () => {
    const directory = tempDir('webkit');
    const [program = '', ...args] = inNamespaces(debianBinaries.bubblewrap, { directory, readable: [] });
    const said = execFileSync(program, [...args, '/bin/cat', '/proc/self/mounts'], { encoding: 'utf8' });
    const writable = said
      .trim()
      .split('\n')
      .map(mountOf)
      // Writing to devices and `/proc` stores nothing.
      .filter(({ place, type }) => type !== 'proc' && !/^\/dev\/(?!shm$)./.test(place))
      .filter(({ options }) => options.includes('rw'));
    expect(writable.map(({ place }) => place)).to.have.members([directory, '/tmp', '/dev/shm']);
    const memory = writable.filter(({ place }) => place !== directory);
    for (const { place, options } of memory)
      expect(options.join(), place).to.match(/(^|,)size=(65536|262144)k(,|$)/);
  });

  it('does not see hidden directories, not even below the directories of programs', () => {
    const directory = tempDir('webkit');
    const hidden = ['/usr/share/dpkg', join(directory, 'missing')];
    const listed = (without: readonly string[]) => {
      const [program = '', ...args] = inNamespaces(debianBinaries.bubblewrap, {
        ...{ directory, readable: [], hidden: without },
      });
      const listing = [...args, '/bin/ls', '/usr/share/dpkg'];
      return execFileSync(program, listing, { encoding: 'utf8' }).trim();
    };
    expect(listed([])).to.not.equal('');
    expect(listed(hidden)).to.equal('');
  });
});
