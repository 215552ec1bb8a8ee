import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDebianPackages, installCommand, testPackages } from './bootstrap/debian-packages.mjs';
import { ensureNpmPackages } from './bootstrap/npm-packages.mjs';

/** `npm test`: makes a bare clone testable, then runs every check. All of them run, so that one failure hides none. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const report = join(mkdtempSync(join(tmpdir(), 'service-report-')), 'mocha.json');
const tests = '{contracts,domain,commands,projections,read-api,write-api,infra}/**/*.test.ts';
const licences =
  'MIT;MIT-0;ISC;BSD-2-Clause;BSD-3-Clause;0BSD;Apache-2.0;BlueOak-1.0.0;CC0-1.0;CC-BY-3.0;CC-BY-4.0;Python-2.0;PSF-2.0;Zlib';

const steps = [
  ['format', 'prettier', '--check', '--log-level=warn', '.'],
  ['types', 'tsc', '--project', '.'],
  ['lint', 'eslint', '--config', '.eslint.config.mjs', '.'],
  ['import rules', 'depcruise', '--config', '.dependency-cruiser.cjs', '--output-type', 'err', ...folders()],
  [
    'licences',
    'license-checker-rseidelsohn',
    '--excludePrivatePackages',
    '--summary',
    '--onlyAllow',
    licences,
  ],
  [
    'tests',
    'c8',
    'mocha',
    '--reporter',
    'infra/verification/testbed/reporter.cjs',
    '--reporter-option',
    `report=${report}`,
    tests,
  ],
];

function folders() {
  return ['contracts', 'domain', 'commands', 'projections', 'read-api', 'write-api', 'infra'];
}

function prepare() {
  ensureNpmPackages(root);
  const missing = ensureDebianPackages(testPackages);
  if (missing.length > 0) {
    throw new Error(`The tests run real servers and a real browser. Missing: ${installCommand(missing)}`);
  }
}

function run([title, program, ...args]) {
  process.stdout.write(`\n── ${title}\n`);
  const startedAt = Date.now();
  const command = join(root, 'node_modules', '.bin', program);
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  const passed = status === 0;
  process.stdout.write(
    `${passed ? '✓' : '✗'} ${title} (${((Date.now() - startedAt) / 1000).toFixed(0)} s)\n`,
  );
  return { title, passed };
}

function counts() {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(join(report, '..'), { recursive: true, force: true });
  }
}

prepare();
const failed = steps.map(run).filter(({ passed }) => !passed);
if (failed.length > 0) process.stdout.write(`\nFailed: ${failed.map(({ title }) => title).join(', ')}\n`);
const tally = counts();
process.stdout.write(`\n${tally.passed} passed, ${tally.failed} failed\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
