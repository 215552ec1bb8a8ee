import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundled } from '../../main/bootstrap/programs.mjs';

/**
 * `node infra/deploy/container/tree.mjs <target> <directory>`: copies from this checkout exactly the files of an image. With
 * `SERVICE_BUNDLE` set to its `bundle`, `node infra/main/run.mjs` runs there as it does here.
 */
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Programs, the packages that are in no bundle, and files that are looked up beside sources. */
const targets = {
  service: {
    programs: ['command', 'gateway', 'processes', 'projector', 'read-api', 'worker', 'write-api'],
    packages: [
      ...['@bull-board/api', '@bull-board/express', '@node-rs/argon2', 'msgpackr-extract'],
      ...['dejavu-fonts-ttf', 'fxa-common-password-list', 'swagger-ui-dist'],
    ],
    files: [],
  },
  node: {
    programs: ['node'],
    packages: ['esbuild', 'ivya'],
    files: ['infra/fleet/webkit/host', 'infra/fleet/webkit/page-scripts', 'infra/fleet/sites.ts'],
  },
};

const start = [
  ...['package.json', 'infra/main/run.mjs', 'infra/main/programs'],
  ...['programs.mjs', 'compiled.mjs', 'stack-traces.mjs'].map((name) => `infra/main/bootstrap/${name}`),
];

/** Files of packages that no program reads. */
const unread = /\.(map|md|markdown|d\.[cm]?ts|flow)$/;

const [name, directory] = process.argv.slice(2);
const target = targets[name];
if (target === undefined || directory === undefined)
  throw new Error(`usage: tree.mjs <${Object.keys(targets).join('|')}> <directory>`);

rmSync(directory, { recursive: true, force: true });
for (const path of [...start, ...target.files]) copy(join(root, path), join(directory, path));
for (const path of withDependencies(target.packages))
  copy(join(root, path), join(directory, path), (source) => !unread.test(source));
const bundle = await bundled();
for (const program of target.programs)
  for (const file of [`${program}.cjs`, `${program}.cjs.places`])
    copy(join(bundle, file), join(directory, 'bundle', file));
if (target.programs.includes('gateway')) copy(join(bundle, 'console'), join(directory, 'bundle', 'console'));
if (target.programs.includes('command'))
  copy(join(bundle, 'operator-console'), join(directory, 'bundle', 'operator-console'));

function copy(from, to, filter = () => true) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, filter });
}

/** The directories of packages and of all their dependencies, by the lockfile. Optional ones for other systems are not installed. */
function withDependencies(names) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const found = new Set();
  const add = (path) => {
    if (path === undefined || found.has(path) || !existsSync(join(root, path))) return;
    found.add(path);
    const { dependencies, optionalDependencies } = packages[path];
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies }))
      add(placeOf(packages, path, dependency));
  };
  for (const each of names) add(`node_modules/${each}`);
  return [...found];
}

/** Directory of a dependency: in the package's own folder, or else in those around it. */
function placeOf(packages, from, name) {
  for (let around = from; ; around = around.slice(0, around.lastIndexOf('/node_modules/'))) {
    const path = `${around}/node_modules/${name}`;
    if (packages[path]) return path;
    if (!around.includes('/node_modules/')) break;
  }
  const path = `node_modules/${name}`;
  return packages[path] ? path : undefined;
}
