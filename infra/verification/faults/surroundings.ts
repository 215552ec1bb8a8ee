import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../testbed/index.ts';

type Environment = Readonly<Record<string, string>>;

/** The wall clock of every process of a stack. It never stops, and durations are not measured by it. */
export interface WallClock {
  /** Environment of the processes. */
  readonly environment: Environment;
  /** The preloaded library. */
  readonly library: string;
  /** Jumps to a time, and continues from it. */
  set(to: Date): void;
  now(): Date;
}

/** A clock by `libfaketime`: every reading of it reads the file, so that all processes jump at once. */
export function createWallClock(timeZone: string): WallClock {
  const file = join(tempDir('clock'), 'offset');
  let offsetMs = 0;
  const set = (to: Date): void => {
    offsetMs = to.getTime() - Date.now();
    replace(file, `${offsetMs < 0 ? '-' : '+'}${(Math.abs(offsetMs) / 1000).toFixed(3)}`);
  };
  set(new Date());
  return {
    library: libraryAt('faketime/libfaketime.so.1'),
    environment: {
      TZ: timeZone,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
    set,
    now: () => new Date(Date.now() + offsetMs),
  };
}

/** DNS for every process of a stack. Other names are resolved as usual; below `.test` there are none. */
export interface HostNames {
  readonly environment: Environment;
  readonly library: string;
  /** Sets the only names that exist, with their addresses. */
  set(addresses: Readonly<Record<string, string>>): void;
}

/** Host names by `libnss-wrapper`, in place of `/etc/hosts`. */
export function createHostNames(): HostNames {
  const file = join(tempDir('names'), 'hosts');
  const set: HostNames['set'] = (addresses) =>
    replace(
      file,
      Object.entries(addresses)
        .map(([name, address]) => `${address} ${name}\n`)
        .join(''),
    );
  set({});
  return {
    library: libraryAt('libnss_wrapper.so'),
    // Without a name server, lookups would wait for its timeout.
    environment: { NSS_WRAPPER_HOSTS: file, RES_OPTIONS: 'timeout:1 attempts:1' },
    set,
  };
}

/** Replaced atomically: readers get either the old or the new content. */
function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

function libraryAt(path: string): string {
  const places = readdirSync('/usr/lib').map((folder) => join('/usr/lib', folder, path));
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`${path} is not there; \`npm test\` installs what tests need.`);
  return found;
}
