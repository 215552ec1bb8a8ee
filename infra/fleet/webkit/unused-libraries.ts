import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inNamespaces, type StandIn } from './namespaces.ts';
import type { WebKitBinaries } from './requirements.ts';

/**
 * A voice for speech synthesis. Debian's WebKit is linked with it, but never uses it. It refers to 31,000 of its own
 * symbols by name, more than all other libraries of a browser together, and each process of a browser resolves all of
 * them when it starts. In its place processes find a library that is loaded anyway, which the dynamic linker does not
 * load a second time.
 */
const unused = 'libflite_cmu_time_awb.so.1';
const loadedAnyway = 'libflite.so.1';

const script = "imports.gi.versions.WebKit2 = '4.1'; imports.gi.WebKit2.WebView;";

const found = new Map<string, Promise<readonly StandIn[]>>();

/** The replacements of unused libraries for browsers in namespaces. A trial finds them, once for each WebKit. */
export function standInsFor(binaries: WebKitBinaries, directory: string): Promise<readonly StandIn[]> {
  const known = found.get(binaries.gjs) ?? find(binaries, directory);
  found.set(binaries.gjs, known);
  return known;
}

async function find({ bubblewrap, gjs }: WebKitBinaries, directory: string): Promise<readonly StandIn[]> {
  const standIns = await Promise.all(
    ['/usr/lib', ...readdirSync('/usr/lib').map((entry) => join('/usr/lib', entry))]
      .filter((folder) => [unused, loadedAnyway].every((name) => existsSync(join(folder, name))))
      .map(async (folder) => ({
        place: await realpath(join(folder, unused)),
        file: await realpath(join(folder, loadedAnyway)),
      })),
  );
  if (standIns.length === 0) return [];
  const [, ...args] = inNamespaces(bubblewrap, { directory, readable: [gjs], standIns });
  try {
    await promisify(execFile)(bubblewrap, [...args, gjs, '-c', script], { timeout: 30_000 });
    return standIns;
  } catch {
    // This WebKit uses it.
    return [];
  }
}
