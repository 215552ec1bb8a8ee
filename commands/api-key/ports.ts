import type { ApiKeyId } from '../../contracts/ids.ts';
import type { KeyRecord } from '../../domain/api-key.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import type { Runner } from '../engine/runner.ts';

/** A new key's text with what may be kept of it. */
export interface IssuedKeyText {
  readonly id: ApiKeyId;
  readonly text: string;
  readonly prefix: string;
  readonly last4: string;
}

/** What the key handlers work with. */
export interface ApiKeyPorts {
  readonly runner: Runner;
  readonly clock: Clock;
  readonly issueKey: () => IssuedKeyText;
  readonly hashKey: (text: string) => string;
  /** How long a rotated key keeps working, ms. */
  readonly graceMs: number;
}

/** `text` is shown once and kept nowhere. */
export interface IssuedKey {
  readonly record: KeyRecord;
  readonly text: string;
  readonly createdAt: string;
  readonly position: Position | undefined;
}
