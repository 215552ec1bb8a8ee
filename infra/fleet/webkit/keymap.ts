import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const parts = ['keycodes', 'types', 'compat', 'symbols'] as const;

/** Key codes are Linux's: WebKit derives `KeyboardEvent.code` from them. */
const keymap = `xkb_keymap {
  xkb_keycodes { include "evdev+aliases(qwerty)" };
  xkb_types { include "complete" };
  xkb_compat { include "complete" };
  xkb_symbols { include "pc+us+inet(evdev)" };
};`;

/** Name of the only file of each part. */
const only = 'phone';
/** X servers require one, which nothing reads. */
const geometry = `xkb_geometry "${only}" { width = 1; height = 1; };`;
/** Rules by which every keyboard gets this keymap. `base` are those that an X server has by default. */
const rules = [...parts, 'geometry'].map((part) => `! model layout = ${part}\n  * * = ${only}\n`).join('\n');

const run = promisify(execFile);

/**
 * Makes a directory with only this keymap, below `parent`, for the X server's option `-xkbdir`. Undefined without the
 * keymap compiler.
 *
 * An X server runs the compiler for each keymap that it needs. With the installed directory it needs two, one of them
 * for keyboards without rules, and each includes two dozen files. Here it needs one, whose includes are resolved.
 *
 * The directory is named by a hash of its content and renamed into place, so that several nodes can share it and none
 * sees it incomplete.
 */
export async function makeKeymap(parent: string): Promise<string | undefined> {
  const made = await mkdtemp(join(parent, 'new-keymap-'));
  try {
    const text = await resolved(made);
    const sections = parts.map((part) => [part, only, sectionOf(text, part)] as const);
    const files = [...sections, ['geometry', only, geometry], ['rules', 'base', rules]] as const;
    for (const [folder, name, content] of files) await put(made, folder, name, content);
    const digest = createHash('sha256').update(JSON.stringify(files)).digest('hex');
    const directory = join(parent, `keymap-${digest.slice(0, 12)}`);
    await rename(made, directory).catch(unlessThere);
    return directory;
  } catch {
    return undefined;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
}

/** The keymap without includes, as the compiler writes it. */
async function resolved(directory: string): Promise<string> {
  const place = (name: string) => join(directory, name);
  const [source, compiled, text] = [place('source'), place('compiled'), place('text')];
  await writeFile(source, keymap);
  await run('xkbcomp', ['-w', '0', '-xkm', source, compiled], { timeout: 10_000 });
  await run('xkbcomp', ['-w', '0', '-xkb', compiled, text], { timeout: 10_000 });
  return readFile(text, 'utf8');
}

function sectionOf(text: string, part: string): string {
  const [section] = new RegExp(`^xkb_${part}\\w* [^]*?^};$`, 'm').exec(text) ?? [];
  if (section === undefined) throw new Error(`The keymap has no ${part}.`);
  return section;
}

async function put(directory: string, folder: string, name: string, content: string): Promise<void> {
  await mkdir(join(directory, folder), { recursive: true });
  await writeFile(join(directory, folder, name), content);
}
