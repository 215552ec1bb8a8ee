import { idSchema } from '../ids.ts';
import { VideoToken } from './agent-session.ts';
import { Count, Type, Timestamp, closed, nullable, oneOf, requestBody, type Static } from '../schema.ts';

export const linkRights = ['watch', 'control'] as const;
export type LinkRight = (typeof linkRights)[number];

/** Maximum live links of one agent session. */
export const mostLinks = 20;
/** Maximum number of times that a link is opened. */
export const mostLinkUses = 500;
/** Seconds. */
export const linkLifetime = { least: 10, most: 24 * 3600, usual: 600 } as const;

export const CreateLink = requestBody({
  /** `control`: the holder may also send input, if the session's mode allows it. */
  right: oneOf(linkRights),
  ttl_seconds: Type.Optional(
    Type.Integer({ minimum: linkLifetime.least, maximum: linkLifetime.most, default: linkLifetime.usual }),
  ),
});
export type CreateLink = Static<typeof CreateLink>;

const link = {
  id: idSchema('link'),
  agent_session_id: idSchema('agentSession'),
  right: oneOf(linkRights),
  created_at: Timestamp,
  /** The account of the person behind the credential. */
  created_by: nullable(idSchema('account')),
  expires_at: Timestamp,
  uses: Count,
  last_used_at: nullable(Timestamp),
};
export const LiveLink = closed(link);
export type LiveLink = Static<typeof LiveLink>;
/** The token is shown once. */
export const CreatedLink = closed({ ...link, token: Type.String() });
export type CreatedLink = Static<typeof CreatedLink>;
export const LiveLinks = closed({ data: Type.Array(LiveLink) });

export const OpenLink = requestBody({ token: Type.String({ minLength: 1, maxLength: 200 }) });
/** The contents of a link: one room, with its right, until it expires. */
export const OpenedLink = closed({
  right: oneOf(linkRights),
  expires_at: Timestamp,
  video: VideoToken,
});
