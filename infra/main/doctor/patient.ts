import type pg from 'pg';
import type { Config } from '../../config/index.ts';
import type { EventStore } from '../../event-store/client/index.ts';
import type { InternalTls } from '../../internal-tls/index.ts';
import { silentLogger } from '../../logging/index.ts';
import { openEventStore, openPostgres } from '../composition/stores.ts';
import { openTls } from '../composition/peers.ts';
import { createLifetime, type Lifetime } from '../lifetime.ts';
import type { StackState } from '../supervisor/stack-file.ts';

/** The examined installation. Ports are opened on first use, which throws if that fails. */
export interface Patient {
  readonly config: Config;
  /** The stack that runs on `DATA_DIR`, if any. */
  readonly stack: StackState | undefined;
  readonly lifetime: Lifetime;
  readonly pool: () => pg.Pool;
  readonly record: () => EventStore;
  readonly tls: () => InternalTls | undefined;
}

export function openPatient(config: Config, stack: StackState | undefined): Patient {
  const logger = silentLogger();
  const lifetime = createLifetime(logger);
  const opening = { config, logger, lifetime };
  return {
    ...{ config, stack, lifetime },
    pool: once(() => openPostgres(opening, 'doctor').pool),
    record: once(() => openEventStore(opening)),
    tls: once(() => openTls(opening)),
  };
}

function once<T>(open: () => T): () => T {
  let opened: { readonly value: T } | undefined;
  return () => (opened ??= { value: open() }).value;
}
