import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type pg from 'pg';
import { connectEventStore } from '../../../event-store/client/index.ts';
import { migrate } from '../../../postgres/index.ts';
import { dataKeyContext } from '../../../vault/data-keys.ts';
import { createMasterKeys, vaultMigrations, type MasterKeys } from '../../../vault/index.ts';
import { startReadModels } from '../read-models.ts';
import { filledAccount, sqlId } from '../read-side.ts';
import { startStoreProcess } from '../store-process.ts';
import { atMost, type Bench, type CheckSubject } from '../subject.ts';

const accounts = 100_000;
/** Megabytes above the process's memory before the round. */
const mostMb = 200;
const bars = { pass: 5000, stretch: 2500 };

/** Configuration of the anchoring process. */
export interface Anchoring {
  readonly storeUrl: string;
  readonly postgresUrl: string;
  /** Base64. */
  readonly masterKey: string;
  readonly file: string;
}

/** Cost of its round. */
export interface Anchored {
  readonly ms: number;
  /** User and system time of the process. */
  readonly cpuMs: number;
  /** Maximal resident memory, less that before the round. */
  readonly addedMb: number;
}

/**
 * A round of anchoring with a new head of every account; Postgres, event store and anchoring are processes of their
 * own.
 */
export const anchoring: CheckSubject = {
  kind: 'check',
  id: 'anchoring',
  title: `anchoring of ${accounts} accounts, and at most ${mostMb} MB`,
  unit: 'ms',
  long: true,
  bars,
  async check(bench) {
    const { ms, cpuMs, addedMb } = await anchored(bench);
    const finding = atMost(bars, ms, { cpu_ms: cpuMs, added_mb: addedMb, accounts });
    return { ...finding, passed: finding.passed && addedMb <= mostMb };
  },
};

async function anchored({ directory, logger }: Bench): Promise<Anchored> {
  const server = await startStoreProcess(join(directory, 'events'));
  const models = await startReadModels(directory, logger);
  const masterKey = randomBytes(32);
  await migrate(models.pool, vaultMigrations);
  await fill(models.pool, createMasterKeys([masterKey]));
  const configuration: Anchoring = {
    ...{ storeUrl: server.url, postgresUrl: models.url, masterKey: masterKey.toString('base64') },
    file: join(directory, 'public-head.json'),
  };
  const program = new URL('./anchoring-process.ts', import.meta.url);
  const child = fork(program, [JSON.stringify(configuration)], { execArgv: ['--import', 'tsx'] });
  try {
    const ended = once(child, 'exit').then(() => []);
    const [result] = (await Promise.race([once(child, 'message'), ended])) as [Anchored?];
    if (result === undefined) throw new Error(`The anchoring ended with exit status ${child.exitCode}.`);
    await assertAnchored(server.url, logger);
    return result;
  } finally {
    child.kill('SIGKILL');
    await server.stop();
    await models.close();
  }
}

/** Three entries for each account, whose frontier is two rows. Only their sizes matter here. */
async function fill(pool: pg.Pool, masterKeys: MasterKeys): Promise<void> {
  const account = sqlId('acc', 'i');
  await pool.query(`
    insert into read_model.accounts (id, sealed_email, tier, created_at, updated_at, commit_position, prepare_position)
      select ${account}, 'sealed', 'team', now(), now(), i, i from generate_series(0, ${accounts - 1}) as i;
    insert into read_model.audit_log (account_id, sequence, id, action, actor_type, target_type, target_id, payload, request_id,
        created_at, prev_hash, hash, subtrees, commit_position, prepare_position)
      select ${account}, entry, i || '-' || entry, 'session.created', 'api_key', 'session', i, '{}', 'req_' || i, now(), '',
        md5(i || '-' || entry) || md5(i || ' ' || entry),
        case entry when 2 then encode(sha256(i::text::bytea), 'base64') else '' end, i, i
      from generate_series(0, ${accounts - 1}) as i, generate_series(1, 3) as entry;
    analyze read_model.accounts; analyze read_model.audit_log;`);
  const ids = Array.from({ length: accounts }, (_, index) => filledAccount(index));
  for (let from = 0; from < accounts; from += 10_000) {
    const some = ids.slice(from, from + 10_000);
    const wrapped = some.map((id) => masterKeys.wrap(randomBytes(32), dataKeyContext(id)).wrapped);
    await pool.query(
      'insert into vault.data_keys (account_id, master_key, wrapped) select id, $2, key from unnest($1::text[], $3::bytea[]) as own (id, key)',
      [some, masterKeys.names[0], wrapped],
    );
  }
  await pool.query('analyze vault.data_keys');
}

async function assertAnchored(url: string, logger: Bench['logger']): Promise<void> {
  const store = connectEventStore({ url, logger });
  const signed = [];
  for await (const { type, data } of store.readAll({ direction: 'backwards', limit: 20 }))
    if (type === 'PublicHeadSigned') signed.push((data as { readonly size: number }).size);
  await store.close();
  if (signed[0] !== accounts) throw new Error(`Anchored ${signed[0] ?? 'none'} of ${accounts} accounts.`);
}
