import type { Actor } from '../../contracts/events/metadata.ts';
import type { Scope } from '../../contracts/events/api-key.ts';
import type { AccountId, ApiKeyId } from '../../contracts/ids.ts';
import type { Tier } from '../../contracts/tiers.ts';

/** Who and what caused a command; becomes the metadata of its events. */
export interface CommandContext {
  /** A uuid fixed once per command: event ids derive from it, so a command sent again stores nothing twice. */
  readonly commandId: string;
  /** Ties together everything one request or timer set off. */
  readonly correlationId: string;
  /** The request or event that caused the command. */
  readonly causationId: string;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly ip?: string | null;
  readonly userAgent?: string | null;
}

/** An authenticated, admitted caller. `accountId` owns what is acted on; a team member's own account is in `actor`. */
export interface Caller {
  readonly accountId: AccountId;
  readonly tier: Tier;
  /** The account's concurrent sessions: the tier's, or its override when that is higher. */
  readonly concurrentSessions: number;
  readonly keyId: ApiKeyId;
  readonly scopes: readonly Scope[];
  readonly context: CommandContext;
}
