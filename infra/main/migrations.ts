import pg from 'pg';
import { processMigrations } from '../../commands/process-managers/index.ts';
import { projectionMigrations } from '../../projections/index.ts';
import { fleetMigrations } from '../fleet/control-plane/registry.ts';
import { migrate, postgresMigrations } from '../postgres/index.ts';
import { vaultMigrations } from '../vault/index.ts';

/**
 * Migrates the database to this version: each part's own steps, in an order that respects their schemas.
 *
 * @returns the missing steps, now applied
 */
export async function migrateAll(url: string): Promise<readonly string[]> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    return await migrate(pool, [
      ...postgresMigrations,
      ...projectionMigrations,
      ...processMigrations,
      ...vaultMigrations,
      ...fleetMigrations,
    ]);
  } finally {
    await pool.end();
  }
}
