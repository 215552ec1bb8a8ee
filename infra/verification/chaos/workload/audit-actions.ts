import type { Exchange } from '../history.ts';
import type { Action, Player } from './player.ts';

const askForHead = ({ client }: Player): Promise<Exchange> =>
  client.call({ action: 'ask-for-head', target: 'GET /v1/account/audit-log/checkpoint' });

export const auditActions = {
  'ask for a signed head': askForHead,
  'ask for two signed heads at once': (player) =>
    Promise.all([askForHead(player), askForHead(player)]).then(() => undefined),
  'read the public head': ({ client }) =>
    client.call({ action: 'read-public-head', target: 'GET /.well-known/audit-log/checkpoint', token: null }),
} as const satisfies Readonly<Record<string, Action>>;
