import { lstat, mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { StateCensus } from '../../../contracts/profile-state.ts';
import { Type, closed } from '../../../contracts/schema.ts';
import {
  dataFolder,
  manifestFile,
  StateArchiveTooLarge,
  UnvisitedSites,
  packState,
  stateFormat,
  surveyState,
  unpackState,
  type Manifest,
} from '../../profile-states/index.ts';
import { StateNotLeft, type LeftState } from '../node/driver.ts';
import { shape, type ShapeOf } from '../shape.ts';
import { pathsIn } from './host-process.ts';
import { removeDirectory, type Instance } from './instance.ts';

const manifest: Manifest = { format: stateFormat, engine: 'webkitgtk' };

/** Milliseconds that a browser has to report its contents and close its files. */
const leaveMs = 10_000;

/** The browser's report: number of cookies, sites with other data, and which of the queried sites it has visited. */
const isHeld = shape(
  closed({ cookies: Type.Integer(), sites: Type.Integer(), shown: Type.Array(Type.String()) }),
);

const isDegenerate = (held: ShapeOf<typeof isHeld>, { cookies, parts }: StateCensus): boolean => {
  const files = parts.local_storage + parts.indexeddb + parts.service_workers + parts.cache;
  return (held.cookies > 0 && cookies === 0) || (held.sites > 0 && files === 0);
};

/** Unpacks a state into the directory of a browser that has not started yet. Returns its contents by site. On failure nothing is left. */
export async function layOutState(directory: string, archive: Readable): Promise<UnvisitedSites> {
  const { state } = pathsIn(directory);
  try {
    await mkdir(state, { recursive: true, mode: 0o700 });
    await unpackState(archive, state);
    await mkdir(join(state, dataFolder), { recursive: true, mode: 0o700 });
    return await UnvisitedSites.of(state);
  } catch (error) {
    await removeDirectory(directory);
    throw error;
  }
}

/** Makes the browser load the unpacked state, before its first page. */
export async function restoreState({ host }: Instance, limitMs: number): Promise<void> {
  await host.send('restore', null, AbortSignal.timeout(limitMs));
}

type LeavingInstance = Pick<Instance, 'directory' | 'unvisited' | 'end' | 'close'> & {
  readonly host: Pick<Instance['host'], 'send'>;
};

/** Ends the browser and keeps the profile's data. On failure nothing is left. */
export async function leaveState(instance: LeavingInstance): Promise<LeftState> {
  const { unvisited } = instance;
  try {
    const held = await instance.host.send('leave', unvisited?.sites ?? [], AbortSignal.timeout(leaveMs));
    await instance.end();
    if (!isHeld.is(held)) throw new Error('The browser did not say what it has.');
    const census = await keepState(instance.directory);
    if (isDegenerate(held, census))
      throw new StateNotLeft('degenerate_dump', 'Nothing is left of what the browser had.');
    // A service worker can show pages of its site without the network.
    for (const site of held.shown) unvisited?.visit(site);
    if (unvisited && !(await unvisited.areIn(pathsIn(instance.directory).state)))
      throw new StateNotLeft(
        'degenerate_dump',
        'Sites that the session did not visit have lost what they had.',
      );
    return {
      census,
      archive: () => packState(pathsIn(instance.directory).state),
      remove: () => removeDirectory(instance.directory),
    };
  } catch (error) {
    await instance.close();
    if (error instanceof StateNotLeft) throw error;
    if (error instanceof StateArchiveTooLarge)
      throw new StateNotLeft('too_large', 'The browser had more than can be saved.', { cause: error });
    throw new StateNotLeft('serialize_failed', 'What the browser had could not be read.', { cause: error });
  }
}

/** Completes the state of a browser that has ended, and removes its other files. */
async function keepState(directory: string): Promise<StateCensus> {
  const { state } = pathsIn(directory);
  const others = (await readdir(directory)).filter((entry) => entry !== basename(state));
  await Promise.all(others.map((entry) => removeDirectory(join(directory, entry))));
  // A compromised web process could have put symbolic links there, to files of the node or of another browser. It has
  // ended by now.
  await assertDirectory(state);
  await mkdir(join(state, dataFolder), { recursive: true, mode: 0o700 });
  await assertDirectory(join(state, dataFolder));
  await removeDirectory(join(state, manifestFile));
  await writeFile(join(state, manifestFile), JSON.stringify(manifest), { mode: 0o600, flag: 'wx' });
  return surveyState(state);
}

async function assertDirectory(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) throw new Error(`${path} is no directory.`);
}
