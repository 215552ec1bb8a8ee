import { oncePer } from '../platform/once-per.ts';
import type { RecorderPorts } from './recorder.ts';

const upsert = `
  insert into ephemeral.key_uses as known (key_id, used_at) values ($1, $2)
  on conflict (key_id) do update set used_at = greatest(known.used_at, excluded.used_at)`;

export interface KeyUses {
  /** Runs in the background and never fails the request: a lost use does no harm. */
  record(keyId: string): void;
}

/** The last use of each API key, to the minute. Uses are not events: one per request is too much for a log. */
export function createKeyUses({ pool, clock, logger }: RecorderPorts): KeyUses {
  const passes = oncePer({ everyMs: 60_000, clock });
  return {
    record(keyId) {
      const now = passes(keyId);
      if (now === undefined) return;
      pool
        .query({ name: 'note-key-use', text: upsert, values: [keyId, now] })
        .catch((error: unknown) => logger.debug({ err: error }, 'A use of an API key was not recorded.'));
    },
  };
}
