import { freemem, loadavg, release, totalmem, cpus, uptime } from 'node:os';
import { listParked, projectionStatus } from '../../../projections/index.ts';
import { describeConfig, configuredSecrets, type Config, type Environment } from '../../config/index.ts';
import { secretsMask } from '../../logging/redact.ts';
import { messageOf } from '../../platform/error-message.ts';
import { within } from '../../platform/timeout.ts';
import { openRegistry } from '../composition/stores.ts';
import { examine } from '../doctor/index.ts';
import { openPatient, type Patient } from '../doctor/patient.ts';
import { isRole, roleNames, type RoleName } from '../roles/table.ts';
import { healthUrl } from '../supervisor/addresses.ts';
import type { StackState } from '../supervisor/stack-file.ts';
import { logOf } from './logs.ts';
import { scrubbed } from './scrub.ts';
import { request } from '../../platform/request.ts';

export interface BundleOptions {
  readonly config: Config;
  readonly environment: Environment;
  /** The stack that runs on `DATA_DIR`, if any. */
  readonly stack: StackState | undefined;
}

/** The files of a bundle, by name. */
export type BundleFiles = Readonly<Record<string, string>>;

/** Timeout of one file, in milliseconds. */
const limitMs = 15_000;

/**
 * Information for diagnosing an installation without access to its data. Every text that might be a customer's is left out or
 * scrubbed, and secrets are masked everywhere. Unavailable parts are listed in `missing.json`.
 */
export async function collectBundle(options: BundleOptions): Promise<BundleFiles> {
  const patient = openPatient(options.config, options.stack);
  const mask = secretsMask(configuredSecrets(options.environment));
  try {
    const made = await Promise.all(
      Object.entries(partsOf(options, patient)).map(async ([name, part]) => ({
        name,
        ...(await contentOf(part)),
      })),
    );
    const missing = made.flatMap(({ name, failure }) => (failure === undefined ? [] : [[name, failure]]));
    const files = made.flatMap(({ name, text }) => (text === undefined ? [] : [[name, mask(text)]]));
    return Object.fromEntries([...files, ['missing.json', json(Object.fromEntries(missing))]]) as BundleFiles;
  } finally {
    await patient.lifetime.close();
  }
}

type Part = () => string | Promise<string>;

async function contentOf(part: Part): Promise<{ readonly text?: string; readonly failure?: string }> {
  try {
    return { text: await within(limitMs, (async () => part())()) };
  } catch (error) {
    return { failure: scrubbed(messageOf(error)) };
  }
}

const json = (value: unknown): string =>
  `${JSON.stringify(value, (_key, field: unknown) => (typeof field === 'bigint' ? String(field) : field), 2)}\n`;

function partsOf(
  { config, environment, stack }: BundleOptions,
  patient: Patient,
): Readonly<Record<string, Part>> {
  const names = Object.keys(stack?.processes ?? {});
  const roles = names.filter((name): name is RoleName => isRole(name));
  const ask = asking(config, patient);
  const urlOf = (role: RoleName) => healthUrl(config, stack?.environment ?? {}, role);
  return {
    'README.txt': () => about,
    'versions.json': () => json(machine()),
    'configuration.json': () => json(describeConfig(environment).map(shown)),
    'processes.json': () => json({ ready: stack?.ready ?? false, processes: stack?.processes ?? {} }),
    'doctor.json': async () =>
      json(
        (await examine(config, stack, ['session'])).map(({ says, ...part }) => ({
          ...part,
          says: scrubbed(says),
        })),
      ),
    'projections.json': async () =>
      json(await projectionStatus({ store: patient.record(), pool: patient.pool() })),
    'parked.json': async () => json(await parked(patient)),
    'nodes.json': async () => json(await nodes(patient)),
    'tables.json': async () => json((await patient.pool().query(tables)).rows),
    ...Object.fromEntries(
      roles.flatMap((role): [string, Part][] => [
        [`metrics/${role}.txt`, () => ask(`${urlOf(role)}/metrics`)],
        [`ready/${role}.json`, () => ask(`${urlOf(role)}/readyz`)],
      ]),
    ),
    // Postgres logs statements with their values.
    ...Object.fromEntries(
      [...roleNames, ...names.filter((name) => name === 'event-store')].map((name): [string, Part] => [
        `logs/${name}.log`,
        names.includes(name) ? () => logOf(config.DATA_DIR, name) : elsewhere,
      ]),
    ),
  };
}

/** The log of a role that another supervisor runs, or none. */
const elsewhere: Part = () => {
  throw new Error('No supervisor on this DATA_DIR runs this role. Its log and metrics are where it runs.');
};

const about = `Information by which a maintainer can diagnose a problem of an installation.

Secrets are masked. Texts that a customer may have written, addresses of people and machines, and error messages are left out. Ids of
accounts, sessions and events are included: they mean nothing to a reader without access. Review the files before you send them.
`;

const machine = () => ({
  at: new Date().toISOString(),
  node: process.versions,
  platform: `${process.platform} ${process.arch} ${release()}`,
  cores: cpus().length,
  load: loadavg(),
  memory: { total: totalmem(), free: freemem() },
  uptime_seconds: uptime(),
});

/** For variables that may name people or places, shows only that they are set. */
const shown = ({ name, value, set }: ReturnType<typeof describeConfig>[number]) => ({
  name,
  set,
  value: value === null ? null : scrubbed(value),
});

async function parked({ pool }: Patient) {
  const events = await listParked(pool());
  const { rows: reactions } = await pool().query<{ reason: string }>(
    `select process, event_type, stream, revision::text, reason, attempts, parked_at
     from runtime.parked_reactions order by parked_at limit 200`,
  );
  return {
    events: events
      .slice(0, 200)
      .map(({ row: _row, reason, ...event }) => ({ ...event, reason: scrubbed(reason) })),
    reactions: reactions.map(({ reason, ...reaction }) => ({ ...reaction, reason: scrubbed(reason) })),
  };
}

async function nodes({ config, pool }: Patient) {
  const rows = await openRegistry(config, pool()).list();
  return rows.map(({ nodeId, driver, capacity, sessions, draining, ageMs }) => ({
    ...{ node_id: nodeId, driver, capacity, draining, age_ms: ageMs },
    sessions: sessions.length,
  }));
}

const tables = `select schemaname || '.' || relname as table, n_live_tup as rows, n_dead_tup as dead,
    pg_total_relation_size(relid) as bytes, last_autovacuum, last_autoanalyze
  from pg_stat_user_tables order by pg_total_relation_size(relid) desc limit 200`;

const asking =
  ({ METRICS_TOKEN: token }: Config, { tls }: Patient) =>
  async (url: string): Promise<string> => {
    const internal = tls();
    const { body } = await request(url, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(limitMs),
      ...(internal && { dispatcher: internal.agent }),
    });
    return body.text();
  };
