import type { AgentSessionEvent } from '../../contracts/events/agent-session.ts';
import { refuse } from '../../contracts/problems.ts';
import { mostLinkUses, mostLinks } from '../../contracts/resources/link.ts';
import type { Rules } from '../kit/decider.ts';
import type { LinkCommand } from './commands.ts';
import { active, sessionFields, present } from './guards.ts';
import { isOpen, liveLinks, type AgentSession } from './state.ts';

/** Links to the live view: they expire, can be revoked, and end with the session. */
export const linkRules: Rules<AgentSession, LinkCommand, AgentSessionEvent> = {
  CreateLink(state, { type: _, at, ...link }) {
    const session = active(state);
    if (session.links.some(({ linkId }) => linkId === link.linkId)) return [];
    if (liveLinks(session, at).length >= mostLinks)
      throw refuse('tier-limit', `An agent session has at most ${mostLinks} links.`, { limit: mostLinks });
    return [{ type: 'LinkCreated', data: { ...sessionFields(session, at), ...link } }];
  },
  /** A dead link is refused alike in every state of the session, so that its holder learns nothing about it. */
  UseLink(state, { linkId, at }) {
    if (!isOpen(state)) throw deadLink();
    const link = liveLinks(state, at).find((each) => each.linkId === linkId);
    if (link === undefined || link.uses >= mostLinkUses) throw deadLink();
    return [{ type: 'LinkUsed', data: { ...sessionFields(state, at), linkId } }];
  },
  /** Nothing for a link that has ended, of those that are remembered, so that a repeated request succeeds. */
  RevokeLink(state, { linkId, at }) {
    const session = present(state);
    const { links, endedLinkIds = [] } = session;
    if (liveLinks(session, at).some((link) => link.linkId === linkId))
      return [{ type: 'LinkRevoked', data: { ...sessionFields(session, at), linkId } }];
    if (endedLinkIds.includes(linkId) || links.some((link) => link.linkId === linkId)) return [];
    throw refuse('not-found');
  },
};

export const deadLink = () =>
  refuse('invalid-auth-token', 'The link is unknown, has expired or was revoked.');
