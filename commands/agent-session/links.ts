import { v7 as uuidv7 } from 'uuid';
import { parseId, toId, uuidOf, type AgentSessionId, type LinkId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { VideoToken } from '../../contracts/resources/agent-session.ts';
import {
  linkLifetime,
  type CreateLink,
  type CreatedLink,
  type LinkRight,
  type LiveLink,
} from '../../contracts/resources/link.ts';
import { deadLink } from '../../domain/agent-session/links.ts';
import type { Link } from '../../domain/agent-session/link.ts';
import { exists, liveLinks } from '../../domain/agent-session/state.ts';
import { after } from '../../domain/kit/time.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import type { OneTimeTokens } from '../../infra/keys/one-time-tokens.ts';
import { bindPorts } from '../engine/bind-ports.ts';
import { now, ownedStep, stepContext, type Caller, type CommandContext } from '../engine/context.ts';
import { find, load, run } from './find.ts';
import type { OwnedAgentSession } from './ports.ts';
import { makerOf, mayDrive, type HolderPorts } from './video-holder.ts';
import type { LinkedView } from './video.ts';

export interface LinkPorts extends HolderPorts {
  readonly tokens: OneTimeTokens;
  /** A token to watch or drive the browser. Refused if the deployment has no video or the session is not active. */
  readonly videoForLink: (id: AgentSessionId, view: LinkedView) => Promise<VideoToken>;
}

/** The token is derived from ids and a secret of the deployment; it is not stored. */
const claimOf = (id: AgentSessionId, linkId: LinkId) => ({
  ...{ purpose: 'live_link', subject: uuidOf(id), nonce: uuidOf(linkId) },
});

async function create(
  ports: LinkPorts,
  caller: Caller,
  { id }: OwnedAgentSession,
  { right, ttl_seconds = linkLifetime.usual }: CreateLink,
): Promise<{ readonly link: CreatedLink; readonly position: Position | undefined }> {
  const linkId = toId('link', uuidv7());
  const at = now(ports);
  const { actorId: createdBy, keyId } = caller;
  const by = { createdBy, ...(keyId !== null && { apiKeyId: keyId }) };
  const link = { linkId, right, expiresAt: after(at, ttl_seconds * 1000), ...by };
  const command = { type: 'CreateLink', ...link, at } as const;
  const { position } = await run(ports, id, command, stepContext(caller.context, 'create-link'));
  const made = { ...link, createdAt: at, uses: 0, lastUsedAt: null };
  return { link: { ...present(id, made), token: ports.tokens.textOf(claimOf(id, linkId)) }, position };
}

/** Usable links, newest first. */
async function list(ports: LinkPorts, { id }: OwnedAgentSession): Promise<LiveLink[]> {
  const state = await load(ports, id);
  if (!exists(state)) throw refuse('not-found');
  return liveLinks(state, now(ports))
    .map((link) => present(id, link))
    .reverse();
}

/** Revokes a link, and disconnects those who joined by it. */
async function revoke(ports: LinkPorts, caller: Caller, { id }: OwnedAgentSession, text: string) {
  const linkId = parseId('link', text);
  if (linkId === undefined) throw refuse('not-found');
  const command = { type: 'RevokeLink', linkId, at: now(ports) } as const;
  const { position } = await run(ports, id, command, stepContext(caller.context, 'revoke-link'));
  return { position };
}

/**
 * Opens a link by its token, without an account. Refuses as dead links: tokens of other kinds, links of a removed
 * admin, and links that were made with an API key that works no longer.
 */
async function open(ports: LinkPorts, context: CommandContext, text: string) {
  const subject = ports.tokens.subjectOf(text);
  if (subject === undefined) throw deadLink();
  const id = toId('agentSession', subject);
  const state = await load(ports, id);
  if (!exists(state)) throw deadLink();
  const link = liveLinks(state, now(ports)).find(({ linkId }) =>
    ports.tokens.matches(text, claimOf(id, linkId)),
  );
  if (link === undefined || !(await mayDrive(ports, state.accountId, makerOf(link)))) throw deadLink();
  const { linkId, right, expiresAt } = link;
  const video = await ports.videoForLink(id, { linkId, right, expiresAt });
  const command = { type: 'UseLink', linkId, at: now(ports) } as const;
  await run(ports, id, command, ownedStep(context, state.accountId, 'use-link'));
  return { right: right satisfies LinkRight, expires_at: expiresAt, video };
}

const present = (id: AgentSessionId, link: Link): LiveLink => ({
  id: link.linkId,
  agent_session_id: id,
  right: link.right,
  created_at: link.createdAt,
  created_by: link.createdBy,
  expires_at: link.expiresAt,
  uses: link.uses,
  last_used_at: link.lastUsedAt,
});

/** Links to the live view of an agent session, for people without an account. */
export const createAgentLinks = (ports: LinkPorts) => bindPorts(ports, { find, create, list, revoke, open });

export type AgentLinks = ReturnType<typeof createAgentLinks>;
