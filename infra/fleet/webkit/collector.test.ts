import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { typelibs } from './host-process.ts';
import { debianBinaries } from './requirements.ts';

/** Keeps the collector busy for longer than one of its steps, in callbacks of the main loop. */
const script = `
import GLib from 'gi://GLib?version=2.0';
import { collectAtOnce } from '${String(new URL('host/collector.js', import.meta.url))}';

collectAtOnce();
const loop = new GLib.MainLoop(null, false);
let kept = [];
let calls = 0;
GLib.timeout_add(GLib.PRIORITY_DEFAULT, 1, () => {
  calls += 1;
  for (let index = 0; index < 2_000; index += 1) kept.push([new WeakRef({}), new Map([[{}, index]])]);
  if (calls % 20 === 0) kept = [];
  if (calls === 100) loop.quit();
  return GLib.SOURCE_CONTINUE;
});
loop.run();
print(calls);
`;

describe('the garbage collector of the browser host', function () {
  this.timeout(60_000);

  it('drops no callback', async () => {
    const path = join(tempDir('collector'), 'script.js');
    writeFileSync(path, script);
    const env = { ...process.env, GI_TYPELIB_PATH: typelibs };
    const options = { env, timeout: 40_000 };
    const { stdout } = await promisify(execFile)(debianBinaries.gjs, ['-m', path], options);
    expect(stdout).to.equal('100\n');
  });
});
