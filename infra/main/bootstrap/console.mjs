import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { constants, brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';

/**
 * Builds the files of `/console/`: a page, and the files that it loads, whose names change with their content. Each is
 * also stored compressed, and none is loaded from another host. `entry`: `main` for the customers' console, or
 * `operator`. Returns esbuild's metadata of the files.
 */
export async function bundleConsole({ root, directory, entry = 'main' }) {
  const source = join(root, 'infra', 'console');
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(source, `${entry}.tsx`)],
    outdir: directory,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    write: false,
    metafile: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['safari17', 'chrome120', 'firefox121'],
    minify: true,
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
    plugins: entry === 'main' ? [partsInOneFile(source)] : [],
  });
  mkdirSync(directory, { recursive: true });
  for (const { path, contents } of outputFiles) keep(join(directory, relative(directory, path)), contents);
  keep(join(directory, 'index.html'), new TextEncoder().encode(pageOf(source, entry, metafile)));
  return metafile;
}

/** Sources that most pages need. */
const shared = /^(parts\/[^/]+|pages\/(?!operator\/)[^/]+\/strings|strings|service)\.tsx?$/;

/**
 * Puts the parts that several pages need into one file: esbuild would make a file for each set of pages, thirty for the first
 * view. To that end every page imports all of them.
 */
const partsInOneFile = (source) => ({
  name: 'parts-in-one-file',
  setup({ onLoad }) {
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
      shared.test(file),
    );
    const imports = files.map((file) => `import ${JSON.stringify(join(source, file))};`).join('');
    onLoad({ filter: /\/console\/(main|pages\/.*)\.tsx$/ }, ({ path }) => ({
      contents: imports + readFileSync(path, 'utf8'),
      loader: 'tsx',
    }));
  },
});

/** The HTML page. It names the entry, its styles and all of its imports, so that the browser requests them at once. */
function pageOf(source, entry, { outputs }) {
  const [path, { cssBundle, imports }] = Object.entries(outputs).find(([, { entryPoint }]) =>
    entryPoint?.endsWith(`console/${entry}.tsx`),
  );
  const address = (file) => `/console/${basename(file)}`;
  const styles = cssBundle === undefined ? [] : [`<link rel="stylesheet" href="${address(cssBundle)}" />`];
  const preloads = imports
    .filter(({ kind }) => kind === 'import-statement')
    .map((each) => `<link rel="modulepreload" href="${address(each.path)}" />`);
  const scripts = [...preloads, `<script type="module" src="${address(path)}"></script>`];
  return readFileSync(join(source, 'index.html'), 'utf8')
    .replace('<!-- styles -->', styles.join(''))
    .replace('<!-- script -->', scripts.join(''));
}

function keep(path, contents) {
  writeFileSync(path, contents);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(`${path}.br`, brotliCompressSync(contents, { params }));
}
