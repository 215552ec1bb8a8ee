import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
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

  it('does not see them where a directory of programs is a link, except what it may read and its own directory', () => {
    const place = tempDir('linked');
    mkdirSync(join(place, 'disk/opt/data/own'), { recursive: true });
    symlinkSync(join(place, 'disk/opt'), join(place, 'opt'));
    const data = join(place, 'opt/data');
    for (const file of ['secret', 'font']) writeFileSync(join(data, file), file);
    const [program = '', ...args] = inNamespaces(debianBinaries.bubblewrap, {
      ...{ directory: join(data, 'own'), readable: [join(data, 'font')], hidden: [data] },
      programs: ['/usr', '/bin', '/lib', '/lib64', join(place, 'opt')],
    });
    const commands = `ls ${data}; cat ${data}/font; touch ${data}/own/made; touch ${data}/made 2>&1`;
    const { stdout } = spawnSync(program, [...args, '/bin/sh', '-c', commands], { encoding: 'utf8' });
    const [listed, refused] = stdout.split('touch: ');
    expect(listed).to.equal('font\nown\nfont');
    expect(refused).to.contain('Read-only file system');
    expect(readdirSync(join(data, 'own'))).to.deep.equal(['made']);
  });
});
