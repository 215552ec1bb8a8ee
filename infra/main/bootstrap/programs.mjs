import { createHash, randomUUID } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { runCompiled } from './compiled.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const packages = join(root, 'node_modules');
const verification = join(root, 'infra/verification/');
const cache = join(packages, '.cache', 'service');
const folders = ['contracts', 'domain', 'commands', 'projections', 'read-api', 'write-api', 'infra'];
const DAY_MS = 24 * 3_600_000;
const UNUSED_MS = 7 * DAY_MS;

/** Folder of the programs, each a file by its name. Those that are not tools run a role. */
const programs = join(root, 'infra/main/programs');
const tools = ['supervisor', 'event-store', 'command'];

/**
 * Runs a program in this process, from a bundle that was built once for exactly these sources. A role then starts
 * seven times as fast, and in half the memory, as when its hundreds of modules are resolved and compiled one by one.
 * Stack traces still name the sources. For a role, the program is `role` and its first argument is the role's name.
 */
export async function runProgram(name, args) {
  if (name !== 'role' && !tools.includes(name))
    throw new Error(`"${name}" is not a program. Programs: ${[...tools, 'role'].join(', ')}.`);
  if (name === 'role' && !roles().includes(args[0]))
    throw new Error(`"${args[0]}" is not a role. Roles: ${roles().join(', ')}.`);
  const directory = await bundled();
  keepUsed(directory);
  const path = join(directory, `${name === 'role' ? args[0] : name}.cjs`);
  process.argv.splice(1, Infinity, path, ...args);
  runCompiled(path);
}

const named = () => readdirSync(programs).map((file) => file.replace(/\.ts$/, ''));
const roles = () => named().filter((name) => !tools.includes(name));

/**
 * The directory of the bundles. They are built if there are none of the present sources. Child processes run the same
 * bundles, even if the sources change meanwhile.
 */
export async function bundled() {
  const given = process.env.SERVICE_BUNDLE ?? '';
  if (existsSync(given)) return given;
  const kept = join(cache, contentHash());
  const directory = existsSync(kept) || mayKeep() ? kept : temporary();
  if (!existsSync(directory)) await make(directory);
  process.env.SERVICE_BUNDLE = directory;
  return directory;
}

/** Whether bundles can be kept: not in a read-only checkout. */
function mayKeep() {
  try {
    mkdirSync(cache, { recursive: true });
    accessSync(cache, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Temporary directory of this process and those that it starts. */
function temporary() {
  const directory = mkdtempSync(join(tmpdir(), 'service-programs-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'programs');
}

/** Hash of everything that can change a bundle: our sources, the packages, and how it is made. */
function contentHash() {
  const hash = createHash('sha256');
  for (const path of [...sources(), join(root, 'package.json'), join(root, 'package-lock.json')])
    hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex').slice(0, 32);
}

/** The source files of programs: all but those of verification. */
const sources = () =>
  folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((name) => join(root, folder, name)),
    )
    .filter(
      (path) =>
        /\.(tsx?|mjs|json|css|html)$/.test(path) &&
        !path.endsWith('.test.ts') &&
        !path.startsWith(verification),
    )
    .sort();

/** Builds beside the final directory, and renames once complete, because processes may start at the same time. */
async function make(directory) {
  const { bundle } = await import('./bundle.mjs');
  const draft = `${directory}.${randomUUID()}`;
  try {
    if (directory.startsWith(cache)) removeUnused();
    await bundle({
      root,
      entries: named().map((name) => join(programs, `${name}.ts`)),
      directory: draft,
      sources: sources(),
      console: true,
    });
    renameSync(draft, directory);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(directory)) throw error;
  }
}

/** Another process may remove the same directories. */
function removeUnused() {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > UNUSED_MS) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Marks bundles as used while this process runs. Without them its supervisor would start an ended role from the sources that are there
 * now, of another release perhaps.
 */
function keepUsed(directory) {
  const mark = () => {
    try {
      utimesSync(directory, new Date(), new Date());
    } catch {
      // Where it cannot be written, nothing is removed either.
    }
  };
  mark();
  setInterval(mark, DAY_MS).unref();
}
