import type { Scope } from '../events/api-key.ts';

/** The usual columns of a route that changes something, and of one that does not; a row overrides what differs. */
export const writesOf = <const Tag extends string, const Scopes extends readonly Scope[]>(
  tag: Tag,
  scopes: Scopes,
) =>
  ({
    side: 'write',
    tag,
    scopes,
    role: 'admin',
    accountHeader: 'honored',
    bucket: 'default:write',
  }) as const;

export const readsOf = <const Tag extends string, const Scopes extends readonly Scope[]>(
  tag: Tag,
  scopes: Scopes,
) =>
  ({ side: 'read', tag, scopes, role: 'member', accountHeader: 'honored', bucket: 'default:read' }) as const;
