import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Our scripts for pages, each as one constant text that any document can run. */
export interface PageScripts {
  /** Defines `serviceScript`, whose `install` makes a document answer. */
  readonly service: string;
}

let bundled: Promise<PageScripts> | undefined;

/** Made once for a process: browsers differ in what the scripts are given, not in the scripts. */
export const bundlePageScripts = (): Promise<PageScripts> => (bundled ??= bundle());

async function bundle(): Promise<PageScripts> {
  const { build, stop } = await import('esbuild');
  try {
    const { outputFiles } = await build({
      entryPoints: [join(import.meta.dirname, 'page-scripts', 'service.ts')],
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'serviceScript',
      platform: 'browser',
      target: 'safari17',
      minify: true,
      legalComments: 'none',
      tsconfigRaw: {},
      logLevel: 'error',
      plugins: [{ name: 'texts-as-shown', setup: (bundle) => bundle.onLoad({ filter: ivya }, textsAsShown) }],
    });
    return { service: outputFiles[0]?.text ?? '' };
  } finally {
    await stop();
  }
}

const ivya = /node_modules\/ivya\/dist\/src-.*\.js$/;
const widthless = '[\\u200b\\u00ad]';

/** `ivya` takes U+FEFF for white space, which it is to JavaScript and to nobody who reads. Throws where it no longer does so. */
async function textsAsShown({ path }: { readonly path: string }) {
  const source = await readFile(path, 'utf8');
  if (!source.includes(widthless)) throw new Error(`${path} has no ${widthless}.`);
  return { contents: source.replaceAll(widthless, '[\\u200b\\u00ad\\ufeff]') };
}
