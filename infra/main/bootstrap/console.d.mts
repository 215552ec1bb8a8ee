import type { Metafile } from 'esbuild';

export function bundleConsole(options: {
  readonly root: string;
  readonly directory: string;
}): Promise<Metafile>;
