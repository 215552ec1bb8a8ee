import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Metafile } from 'esbuild';
import { bundleConsole } from '../../main/bootstrap/console.mjs';
import { tempDir } from '../testbed/index.ts';

/** Bytes as served, compressed by Brotli. */
const FIRST_VIEW = 55_000;
const PAGE = 25_000;
const PLAYER = 130_000;

const root = fileURLToPath(new URL('../../..', import.meta.url));

describe('the size of the console', function () {
  this.timeout(60_000);
  const directory = tempDir('console');
  let outputs: Metafile['outputs'];
  let first: ReadonlySet<string>;
  before(async () => {
    ({ outputs } = await bundleConsole({ root, directory }));
    first = loadedWith(outputOf((entry) => entry === 'infra/console/main.tsx'));
  });

  it('includes nothing of the operator’s pages', () => {
    const sources = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
    expect(sources).to.include('infra/console/pages/overview/overview.tsx');
    expect(sources.filter((path) => path.includes('operator'))).to.deep.equal([]);
  });

  it('is 55 kB at most for the operator’s console, including all of its pages', async () => {
    const own = tempDir('operator-console');
    const made = await bundleConsole({ root, directory: own, entry: 'operator' });
    const bytes = Object.keys(made.outputs).map((file) => statSync(join(own, `${basename(file)}.br`)).size);
    expect(bytes.reduce((sum, each) => sum + each)).to.be.within(10_000, FIRST_VIEW);
  });

  const outputOf = (isWanted: (entry: string) => boolean): string =>
    Object.entries(outputs).find(([, { entryPoint = '' }]) => isWanted(entryPoint))?.[0] ?? '';
  /** The file and its static imports, without dynamic ones. */
  function loadedWith(file: string, known: ReadonlySet<string> = new Set()): ReadonlySet<string> {
    if (known.has(file)) return known;
    const { imports = [], cssBundle } = outputs[file] ?? {};
    const needed = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path);
    const own = new Set([...known, file, ...(cssBundle === undefined ? [] : [cssBundle])]);
    return needed.reduce<ReadonlySet<string>>((all, each) => loadedWith(each, all), own);
  }
  const sizeOf = (files: Iterable<string>): number =>
    [...files].reduce((sum, file) => sum + statSync(join(directory, `${basename(file)}.br`)).size, 0);

  it('is 55 kB at most for the first view, including its first page', () => {
    const overview = loadedWith(
      outputOf((entry) => entry.endsWith('pages/overview/overview.tsx')),
      first,
    );
    expect(overview.size).to.be.above(2);
    expect(sizeOf([...overview, 'index.html'])).to.be.within(10_000, FIRST_VIEW);
  });

  it('is few files for the first view, and two more at most for a list', () => {
    expect(first.size).to.be.at.most(6);
    const sessions = loadedWith(outputOf((entry) => entry.endsWith('pages/sessions/sessions.tsx')));
    expect([...sessions].filter((each) => !first.has(each))).to.have.lengthOf.within(1, 2);
  });

  it('is 130 kB more at most for the live view, when a phone is opened', () => {
    const player = loadedWith(outputOf((entry) => entry.endsWith('parts/phone/room-wire.ts')));
    const page = loadedWith(outputOf((entry) => entry.endsWith('pages/agents/agent.tsx')));
    const more = [...player].filter((each) => !first.has(each) && !page.has(each));
    expect(sizeOf(more)).to.be.within(50_000, PLAYER);
  });

  it('is 25 kB more at most for any other page', () => {
    const pages = Object.entries(outputs).filter(([, { entryPoint = '' }]) =>
      entryPoint.startsWith('infra/console/pages/'),
    );
    expect(pages.length).to.be.above(10);
    const sizes = pages.map(([file, { entryPoint }]) => {
      const more = [...loadedWith(file)].filter((each) => !first.has(each));
      return { page: entryPoint, bytes: sizeOf(more) };
    });
    expect(sizes.filter(({ bytes }) => bytes > PAGE)).to.deep.equal([]);
  });
});
