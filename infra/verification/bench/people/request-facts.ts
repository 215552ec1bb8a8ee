import type { RequestFacts } from '../../../http/index.ts';

/** A request with a credential, as the edge passes it on. */
export const requestWith = (token: string): RequestFacts => ({
  id: 'req_0197f1a000007000800000000013',
  operation: 'bench',
  ungated: [],
  role: 'member',
  ip: '127.0.0.1',
  userAgent: 'bench',
  idempotencyKey: null,
  credentialInQuery: null,
  header: (name) => (name === 'authorization' ? `Bearer ${token}` : undefined),
});
