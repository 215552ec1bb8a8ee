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

/** The links of an agent session. */
export interface Links {
  /** Not expired at the latest change of links, oldest first. */
  readonly links: readonly Link[];
  /** Ids of the latest links that were removed, newest last; absent if there were none. */
  readonly endedLinkIds?: readonly LinkId[];
}

/** Number of removed links that are remembered: several times as many as can be valid at once. */
const remembered = 100;

/** Removes the links that have ended, and remembers their ids. */
export function withoutEnded({ links, endedLinkIds = [] }: Links, isEnded: (link: Link) => boolean): Links {
  const ended = links.filter(isEnded).map(({ linkId }) => linkId);
  if (ended.length === 0) return { links };
  return {
    links: links.filter((link) => !isEnded(link)),
    endedLinkIds: [...endedLinkIds, ...ended].slice(-remembered),
  };
}
