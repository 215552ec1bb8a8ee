import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = (script: string) =>
  promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: import.meta.dirname });

const sources = {
  'program.ts': `
import { where, trace as traceBeside } from './beside.ts';
console.log(where, new Error('here').stack?.split('\\n')[1]?.trim());
function trace() {
  try {
    traceBeside();
  } catch (error) {
    console.log((error as Error).stack);
  }
}
if (process.env.TRACED) trace();
void import('./late.ts').then(({ umlaut }) => console.log(umlaut));
`,
  'beside.ts': `
import { join } from 'node:path';
export const where: string = import.meta.dirname;
export function trace(): string {
  return join(where, 1 as never);
}`,
  'late.ts': `export const umlaut = 'für später';`,
};

describe('a program in one file', () => {
  const sourceDir = tempDir('sources');
  const directory = tempDir('bundle');
  const file = join(directory, 'program.cjs');
  const said = `${sourceDir} at <anonymous> (${join(sourceDir, 'program.ts')}:3:20)\nfür später\n`;
  const start = async () =>
    (await run(`(await import('./compiled.mjs')).runCompiled(${JSON.stringify(file)});`)).stdout;
  const kept = () => readdirSync(directory).filter((name) => /\.cjs\.\d+$/.test(name));

  before(async () => {
    mkdirSync(sourceDir, { recursive: true });
    for (const [name, text] of Object.entries(sources)) writeFileSync(join(sourceDir, name), text);
    const paths = Object.keys(sources).map((name) => join(sourceDir, name));
    const given = { root, entries: [paths[0]], directory, sources: paths };
    await run(`await (await import('./bundle.mjs')).bundle(${JSON.stringify(given)});`);
  });

  it('knows the locations of its sources, imports modules lazily, and caches the code that V8 compiled', async () => {
    expect(await start()).to.equal(said);
    expect(kept()).to.have.length(1);
  });

  it('does the same from the cache', async () => {
    const before = readFileSync(join(directory, kept()[0] ?? ''));
    expect(await start()).to.equal(said);
    expect(readFileSync(join(directory, kept()[0] ?? '')).equals(before)).to.equal(true);
  });

  it('can be started by other users than the first, also from a cache that they may not read', async () => {
    const path = join(directory, kept()[0] ?? '');
    rmSync(path);
    await run(`process.umask(0o077); (await import('./compiled.mjs')).runCompiled(${JSON.stringify(file)});`);
    expect(statSync(path).mode & 0o777).to.equal(0o644);
    // Root may read every file, but no directory as a file.
    rmSync(path);
    mkdirSync(path);
    expect(await start()).to.equal(said);
    rmSync(path, { recursive: true });
    expect(await start()).to.equal(said);
  });

  it('traces errors of Node through modules, by the names in their sources', async () => {
    const { stdout } = await run(
      `process.env.TRACED = 'yes'; (await import('./compiled.mjs')).runCompiled(${JSON.stringify(file)});`,
    );
    expect(stdout).to.include(
      '\nTypeError [ERR_INVALID_ARG_TYPE]: The "path" argument must be of type string',
    );
    expect(stdout).to.include(
      `\n    at trace (${join(sourceDir, 'beside.ts')}:5:10)\n    at trace (${join(sourceDir, 'program.ts')}:6:5)\n`,
    );
  });

  it('traces errors after its files are gone', async () => {
    const copy = join(tempDir('removed'), 'program.cjs');
    cpSync(file, copy);
    const { stdout } = await run(
      `process.env.TRACED = 'yes'; (await import('./compiled.mjs')).runCompiled(${JSON.stringify(copy)});`,
    );
    expect(stdout).to.include('[ERR_INVALID_ARG_TYPE]').and.to.include(`(${copy}:`);
  });

  it('replaces a truncated cache', async () => {
    const path = join(directory, kept()[0] ?? '');
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, whole.length / 2));
    expect(await start()).to.equal(said);
    expect(readFileSync(path).length).to.be.at.least(whole.length / 2 + 1);
  });

  it('finds files beside itself in the tree that it was copied to, after the original tree is gone', async () => {
    const [tree, copy] = [tempDir('tree'), tempDir('copy')];
    cpSync(import.meta.dirname, join(tree, 'infra/main/bootstrap'), { recursive: true });
    for (const [name, text] of Object.entries(sources)) writeFileSync(join(tree, name), text);
    const paths = Object.keys(sources).map((name) => join(tree, name));
    const given = { root: tree, entries: [paths[0]], directory: join(tree, 'bundle'), sources: paths };
    await run(`await (await import('./bundle.mjs')).bundle(${JSON.stringify(given)});`);
    cpSync(tree, copy, { recursive: true });
    renameSync(tree, `${tree}-gone`);
    const [compiled, program] = [
      join(copy, 'infra/main/bootstrap/compiled.mjs'),
      join(copy, 'bundle/program.cjs'),
    ];
    const { stdout } = await run(
      `(await import(${JSON.stringify(compiled)})).runCompiled(${JSON.stringify(program)});`,
    );
    expect(stdout).to.equal(said.replaceAll(sourceDir, copy));
  });
});
