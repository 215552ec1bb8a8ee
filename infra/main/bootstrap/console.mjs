import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { constants, brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';

/**
 * Makes what `/console/` serves: a page, and what it loads by names that change with the content, each also compressed. Nothing of it
 * is from elsewhere.
 */
export async function bundleConsole({ root, directory }) {
  const source = join(root, 'infra', 'console');
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join(source, 'main.tsx')],
    outdir: directory,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    write: false,
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
  });
  mkdirSync(directory, { recursive: true });
  for (const { path, contents } of outputFiles) keep(join(directory, relative(directory, path)), contents);
  keep(join(directory, 'index.html'), new TextEncoder().encode(pageOf(source, outputFiles)));
}

/** The page names the entry and its styles. */
function pageOf(source, files) {
  const named = (pattern) => files.map(({ path }) => basename(path)).filter((name) => pattern.test(name));
  const styles = named(/^main-.*\.css$/).map((name) => `<link rel="stylesheet" href="/console/${name}" />`);
  const scripts = named(/^main-.*\.js$/).map(
    (name) => `<script type="module" src="/console/${name}"></script>`,
  );
  return readFileSync(join(source, 'index.html'), 'utf8')
    .replace('<!-- styles -->', styles.join(''))
    .replace('<!-- script -->', scripts.join(''));
}

function keep(path, contents) {
  writeFileSync(path, contents);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(`${path}.br`, brotliCompressSync(contents, { params }));
}
