import type { Metafile } from 'esbuild';

export function bundleConsole(options: {
  readonly root: string;
  readonly directory: string;
  readonly entry?: 'main' | 'operator';
}): Promise<Metafile>;
