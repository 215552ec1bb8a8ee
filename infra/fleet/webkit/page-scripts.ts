import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withUnhiddenNames } from './unhidden-names.ts';

/** Scripts for pages, each as one constant string that any document can run. */
export interface PageScripts {
  /** Defines `serviceScript`, whose `install` makes a document answer commands. */
  readonly service: string;
}

let bundled: Promise<PageScripts> | undefined;

/** Built once for a process. Browsers differ only in the scripts' arguments. */
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
    return { service: withUnhiddenNames(outputFiles[0]?.text ?? '') };
  } finally {
    await stop();
  }
}

const ivya = /node_modules\/ivya\/dist\/src-.*\.js$/;
const widthless = '[\\u200b\\u00ad]';

/**
 * `ivya` treats U+FEFF as white space, as JavaScript does, but it is not displayed as such. Throws if ivya's source has changed in this
 * place.
 */
async function textsAsShown({ path }: { readonly path: string }) {
  const source = await readFile(path, 'utf8');
  if (!source.includes(widthless)) throw new Error(`${path} has no ${widthless}.`);
  return { contents: source.replaceAll(widthless, '[\\u200b\\u00ad\\ufeff]') };
}
