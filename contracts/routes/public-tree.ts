import * as audit from '../resources/audit-proof.ts';
import type { Route } from '../route.ts';
import { Type } from '../schema.ts';
import { area, ok } from './rows.ts';

const { read } = area({ tag: 'Account', reads: ['read', 'account_owner'], writes: [] });

const open = {
  scopes: null,
  bucket: 'public-tree:read',
  accountHeader: 'ignored',
  problems: ['not-found'],
} as const;

const tile = {
  ...open,
  summary: 'A tile of the public tree (c2sp.org/tlog-tiles)',
  success: {
    ...ok(Type.String({ format: 'binary' }), 'Up to 256 hashes of 32 bytes.'),
    contentType: 'application/octet-stream',
    headers: { 'Cache-Control': 'A tile never changes.' },
  },
} as const;

const level = Type.String({ description: 'The level, from `0` for the leaves to `63`.' });
/** A number in groups of three digits, all but the last with a leading `x`: one path segment each. */
const group = Type.String({
  description:
    'Three digits of the tile number. All groups but the last begin with `x`; the last group of a partial tile ends with `.p`.',
});
const last = Type.String({ description: 'The last group, or the number of hashes in a partial tile.' });

/** The public tree of all accounts' heads, and an account's inclusion: `docs/audit.md`. */
export const publicTreeRoutes = [
  read('GET /v1/account/audit-log/anchor', 'audit-log.anchor', {
    summary: 'The head of the audit log in the public tree, with its inclusion proof',
    accountHeader: 'ignored',
    success: ok(audit.Anchor, 'The latest head that the public checkpoint includes.'),
    problems: ['not-found'],
  }),
  read('GET /.well-known/audit-log/checkpoint', 'public-tree.checkpoint', {
    ...open,
    summary: 'The head of the public tree as a signed note (c2sp.org/tlog-checkpoint)',
    success: { ...ok(Type.String(), 'The latest checkpoint.'), contentType: 'text/plain' },
  }),
  read('GET /.well-known/audit-log/tile/{level}/{last}', 'public-tree.tile', {
    ...tile,
    params: { level, last },
  }),
  read('GET /.well-known/audit-log/tile/{level}/{first}/{last}', 'public-tree.tile-2', {
    ...tile,
    params: { level, first: group, last },
  }),
  read('GET /.well-known/audit-log/tile/{level}/{first}/{second}/{last}', 'public-tree.tile-3', {
    ...tile,
    params: { level, first: group, second: group, last },
  }),
  read('GET /.well-known/audit-log/tile/{level}/{first}/{second}/{third}/{last}', 'public-tree.tile-4', {
    ...tile,
    params: { level, first: group, second: group, third: group, last },
  }),
] as const satisfies readonly Route[];
