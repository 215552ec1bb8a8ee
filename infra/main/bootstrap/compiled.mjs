import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { traceSources } from './stack-traces.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Runs a bundle of one file. When the first process that runs it exits normally, V8's code cache is stored beside the
 * bundle, and saves later processes most of the compilation. Each version and set of options of V8 has its own cache.
 */
export function runCompiled(path) {
  const kept = `${path}.${cachedDataVersionTag()}`;
  const cachedData = readIfPossible(kept);
  // Bundles are ASCII: one byte for each character, also in memory.
  const script = new Script(readFileSync(path, 'latin1'), { filename: path, cachedData });
  if (!cachedData || script.cachedDataRejected) process.once('exit', () => keep(kept, script));
  traceSources(path, root);
  const module = { exports: {} };
  script.runInThisContext()(createRequire(root), module, module.exports, pathToFileURL(path).href, placeOf);
}

/** Path and URL of a source, given its path in the repository, in the form of `import.meta`. */
function placeOf(source) {
  const path = resolve(root, source);
  return { path, url: pathToFileURL(path).href };
}

/** Undefined if there is no such file, or another user's that this one may not read. */
function readIfPossible(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Stores the code cache atomically: other processes may read it, those of other users too, whatever this one's mask is. In a read-only
 * directory, each start compiles.
 */
function keep(path, script) {
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, script.createCachedData());
    chmodSync(draft, 0o644);
    renameSync(draft, path);
  } catch {
    rmSync(draft, { force: true });
  }
}
