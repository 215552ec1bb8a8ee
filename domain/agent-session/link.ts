import type { AccountId, ApiKeyId, LinkId } from '../../contracts/ids.ts';
import type { LinkRight } from '../../contracts/resources/link.ts';

/** A link to the live view. */
export interface Link {
  readonly linkId: LinkId;
  readonly right: LinkRight;
  readonly createdAt: string;
  readonly createdBy: AccountId | null;
  /** The API key that it was created with, and ends with. */
  readonly apiKeyId?: ApiKeyId;
  readonly expiresAt: string;
  /** Number of times it was opened. */
  readonly uses: number;
  readonly lastUsedAt: string | null;
}
