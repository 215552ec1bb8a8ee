import { postgresMigrations } from '../../infra/postgres/index.ts';
import { stopPostgres } from '../../infra/verification/testbed/postgres.ts';
import { startReadSide } from './index.ts';
import { projectionMigrations } from '../index.ts';
import { writeRelease } from './release.ts';
import { orphan, story, tell } from './story.ts';

/**
 * `node --import tsx projections/testing/write.ts <version>`: writes the database of a release, once per release and with its own
 * code. Written files are never changed. `0.1.0-2026-11-22` is between releases, for tables that were new since the last one.
 */
const [version] = process.argv.slice(2);
if (version === undefined) throw new Error('Which release?');
const side = await startReadSide();
try {
  await tell(side, [...story, orphan]);
  side.project();
  await side.caughtUp();
  const steps = [...postgresMigrations, ...projectionMigrations].map(({ sql }) => sql.trim());
  const bookkeeping = [
    'create schema runtime;',
    'create table runtime.migrations (id text primary key, applied_at timestamptz not null default now());',
  ];
  const schema = [...bookkeeping, ...steps.map((sql) => (sql.endsWith(';') ? sql : `${sql};`))].join('\n');
  await writeRelease(version, { store: side.store, pool: side.postgres.pool, schema: `${schema}\n` });
} finally {
  await side.close();
  await stopPostgres();
}
