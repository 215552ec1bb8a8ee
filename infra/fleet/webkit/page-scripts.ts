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
    });
    return { service: outputFiles[0]?.text ?? '' };
  } finally {
    await stop();
  }
}
