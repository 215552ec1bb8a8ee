import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { makeKeymap } from './keymap.ts';

const compiled = (directory: string, source: string): string => {
  const path = join(directory, 'compiled');
  execFileSync('xkbcomp', ['-w', '0', '-xkm', '-', path], { input: source });
  return execFileSync('xkbcomp', ['-w', '0', '-xkb', path, '-'], { encoding: 'utf8' });
};

describe('the keymap of displays', () => {
  it('has the keys and symbols of the installed one, without includes', async () => {
    const directory = String(await makeKeymap(tempDir('keymap')));
    const parts = ['keycodes', 'types', 'compat', 'symbols'];
    const ours = parts.map((part) => readFileSync(join(directory, part, 'phone'), 'utf8'));
    expect(ours.join('')).to.not.include('include');
    const whole = compiled(tempDir('keymap'), `xkb_keymap { ${ours.join('\n')} };`);
    const installed = ['evdev+aliases(qwerty)', 'complete', 'complete', 'pc+us+inet(evdev)'];
    const included = parts.map((part, at) => `xkb_${part} { include "${installed[at]}" };`);
    const theirs = tempDir('keymap');
    // Compiled twice, like ours: the compiler's output omits defaults and renames sections.
    const twice = compiled(theirs, compiled(theirs, `xkb_keymap { ${included.join('\n')} };`));
    expect(whole).to.equal(twice);
  });
});
