import { dayMs } from '../../contracts/durations.ts';
import type { TeamRole } from '../../contracts/events/team-member.ts';
import type { AccountId } from '../../contracts/ids.ts';
import type { ArchetypeCatalogue } from '../../contracts/resources/archetype.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import type { CommandPorts } from '../engine/runner.ts';

/** How long an offer can be accepted, ms. */
export const offerMs = 7 * dayMs;

export interface ProfilePorts extends CommandPorts {
  readonly archetypes: ArchetypeCatalogue;
  /** 16 random bytes, base64url. */
  readonly newNoiseSeed: () => string;
  /** How long a profile stays in the trash before it is purged, ms. */
  readonly retentionMs: number;
  /** The role of an account on the owner's team; undefined for none. */
  readonly roleOn: (owner: AccountId, accountId: AccountId) => Promise<TeamRole | undefined>;
  /** Makes the account's reads wait for a position. */
  readonly recordPosition: (accountId: AccountId, position: Position) => Promise<void>;
}
