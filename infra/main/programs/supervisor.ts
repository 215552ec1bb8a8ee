import { join, resolve } from 'node:path';
import { ConfigError, loadConfigWithFiles } from '../../config/index.ts';
import { leaveGroupToBrowsers } from '../../fleet/webkit/control-groups.ts';
import { startOptions, WrongArguments } from '../bootstrap/start-options.mjs';
import { createLifetime } from '../lifetime.ts';
import { keepFilesPrivate, SharedDirectory } from '../private-files.ts';
import { isRole, roleNames, type RoleName } from '../roles/table.ts';
import { firstAccount } from '../supervisor/first-account.ts';
import { onNpmGone, startedByNpm } from '../supervisor/npm.ts';
import { terminalReport } from '../supervisor/report.ts';
import { StartFailed } from '../supervisor/supervised-process.ts';
import { DataDirInUse, startStack, type Stack } from '../supervisor/supervisor.ts';

/**
 * `npm start [-- --roles write-api,projector]`. With `--without-first-account` no account is created: where the output is stored,
 * as by systemd, it must not contain a key.
 */
const report = terminalReport(process.stdout);
const abort = new AbortController();
/** npm forwards a Ctrl-C that this process also got from the terminal; without npm, a second signal is intended. */
const SAME_SIGNAL_MS = startedByNpm ? 500 : 0;
let stoppedAt = -Infinity;
const lifetime = createLifetime({
  info: () => undefined,
  error: (fields: { part: string; err: Error }) =>
    report.warn(`${fields.part} did not stop cleanly: ${fields.err.message}`),
});
// A stack goes on without a reader of its output, or room for it.
process.stdout.on('error', () => undefined);
const started = run();
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
onNpmGone(stop);
started.catch(fail);

async function run(): Promise<void> {
  keepFilesPrivate();
  const { roles, withoutFirstAccount } = chosen();
  const config = loadConfigWithFiles(process.env);
  if (roles.includes('node') && config.BROWSER_CONTROL_GROUPS) await leaveGroupToBrowsers();
  report.say(`\nStarting in ${resolve(config.DATA_DIR)}`);
  let printed: Promise<void> | undefined;
  const printOnce = (stack: Stack) => (printed ??= printStart(stack, { roles, withoutFirstAccount }));
  const options = { config, environment: process.env, roles, report, lifetime, signal: abort.signal };
  const onLate = (stack: Stack) => void printOnce(stack).catch(fail);
  await printOnce(await startStack({ ...options, onLate }));
}

/** Prints how to start, even while a node, possibly on another machine, is still missing. */
async function printStart(stack: Stack, { roles, withoutFirstAccount }: Chosen): Promise<void> {
  if (!roles.includes('gateway') || !stack.hasStores) return;
  const account = withoutFirstAccount ? undefined : await firstAccount(stack);
  report.say(`\n  Base address   ${stack.baseUrl}`);
  report.say(`  Reference      ${stack.baseUrl}/reference`);
  const isNew = typeof account === 'object';
  report.say(`  Console        ${isNew ? account.console_link : `${stack.baseUrl}/console/`}`);
  if (isNew) report.say(`                 signs in to the account below, once, within 15 minutes`);
  if (account === 'exists') {
    report.say(
      `  API key        not shown: an account exists already; npm run service -- key create creates another key`,
    );
  } else if (account !== undefined) {
    report.say(`  API key        ${account.api_key}`);
    report.say(`                 of ${account.account_id}, tier ${account.tier}; it is shown only this once`);
  }
  report.say(
    `  Metrics        ${stack.baseUrl}/metrics, from this machine; from elsewhere with METRICS_TOKEN of secrets.json`,
  );
  report.say(`  Processes      npm run service -- processes`);
  report.say(`  Logs           ${join(stack.dataDir, 'logs')}`);
  report.say(`\n  Ctrl-C stops everything.\n`);
}

interface Chosen {
  readonly roles: readonly RoleName[];
  readonly withoutFirstAccount: boolean;
}

function chosen(): Chosen {
  const { roles, withoutFirstAccount } = startOptions(process.argv.slice(2));
  return { roles: rolesOf(roles), withoutFirstAccount };
}

function rolesOf(chosen: readonly string[] | undefined): readonly RoleName[] {
  if (chosen === undefined) return roleNames;
  const unknown = chosen.filter((name) => !isRole(name));
  if (unknown.length > 0) {
    throw new ConfigError([
      `--roles got ${unknown.join(', ')}. It takes ${roleNames.join(', ')}, separated by commas.`,
    ]);
  }
  return roleNames.filter((name) => chosen.includes(name));
}

/**
 * The first signal stops in order; a second one exits at once, and child processes then stop themselves. A Ctrl-C arrives twice,
 * from the terminal and from npm.
 */
function stop(): void {
  if (abort.signal.aborted) {
    if (performance.now() - stoppedAt > SAME_SIGNAL_MS) process.exit(1);
    return;
  }
  stoppedAt = performance.now();
  abort.abort();
  report.say('\nStopping. Press Ctrl-C again to stop immediately.');
  void started
    .catch(() => undefined)
    .then(() => lifetime.close())
    .then(() => process.exit(0));
}

async function fail(error: unknown): Promise<void> {
  if (abort.signal.aborted) return;
  abort.abort();
  const expected = [ConfigError, DataDirInUse, SharedDirectory, StartFailed, WrongArguments].some(
    (kind) => error instanceof kind,
  );
  const text =
    error instanceof Error ? (expected ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`${text}\n`);
  await lifetime.close();
  process.exit(1);
}
