import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { expect } from 'chai';
import { standardOutput } from './standard-output.ts';

const logging = new URL('./index.ts', import.meta.url).href;

describe('lines of a log on standard output', () => {
  it('that do not fit on a full disk end no process, and hold none up', () => {
    const program = `
      import { createLogger } from ${JSON.stringify(logging)};
      const logger = createLogger({ level: 'info', base: {} });
      for (const level of ['info', 'error', 'fatal']) logger[level]('lost');
      process.stderr.write('still here');`;
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import=tsx', '--input-type=module', '--eval', program],
      { stdio: ['ignore', full, 'pipe'], encoding: 'utf8', timeout: 20_000 },
    );
    closeSync(full);
    expect([status, stderr]).to.deep.equal([0, 'still here']);
  });

  it('begin on lines of their own when there is room again, also after one that was written in part', () => {
    let text = '';
    let room = Infinity;
    const out = standardOutput((bytes) => {
      const fits = bytes.subarray(0, room);
      if (fits.length === 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      text += Buffer.from(fits).toString();
      room -= fits.length;
      return fits.length;
    });
    out.write('one\n');
    room = 2;
    for (const lost of ['two\n', 'three\n', 'four\n']) out.write(lost);
    room = Infinity;
    out.write('five\n');
    expect(text).to.equal('one\ntwo\nfive\n');
  });

  it('are all written to a pipe that is full for a moment', () => {
    let text = '';
    let tries = 0;
    const out = standardOutput((bytes) => {
      if ((tries += 1) % 2 === 1) throw Object.assign(new Error('again'), { code: 'EAGAIN' });
      text += Buffer.from(bytes.subarray(0, 3)).toString();
      return Math.min(3, bytes.length);
    });
    out.write('one\n');
    out.write('two\n');
    expect(text).to.equal('one\ntwo\n');
  });
});
