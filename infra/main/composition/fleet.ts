import { hkdfSync } from 'node:crypto';
import type pg from 'pg';
import { need, type Config } from '../../config/index.ts';
import { createNodeRegistry, type NodeRegistry } from '../../fleet/control-plane/registry.ts';

/** Node credentials rest in the database sealed by a key of their own, made from the master key. */
export function openRegistry(config: Config, pool: pg.Pool): NodeRegistry {
  const sealingKey = Buffer.from(hkdfSync('sha256', need(config, 'MASTER_KEY'), '', 'node credentials', 32));
  return createNodeRegistry({ pool, sealingKey });
}
