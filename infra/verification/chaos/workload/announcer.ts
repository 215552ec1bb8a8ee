import { randomUUID } from 'node:crypto';
import { answered } from '../history.ts';
import type { World } from '../world/index.ts';
import { createClient } from './client.ts';

const ENDPOINTS = 20;
const KEYS = 75;

/**
 * A customer with twenty endpoints for revoked keys. The returned function makes fifteen hundred deliveries, and never
 * rejects.
 */
export async function openAnnouncer({
  operator,
  stack,
  history,
  receivers,
}: World): Promise<() => Promise<void>> {
  const { account, token } = await operator.account(`${randomUUID()}@example.com`, 'enterprise');
  const client = createClient(stack.baseUrl, history, { name: 'announcer', account, token });
  const times = <T>(count: number, work: () => Promise<T>) =>
    Promise.all(Array.from({ length: count }, work));
  await times(ENDPOINTS, () =>
    client.call({
      action: 'register-webhook',
      target: 'POST /v1/webhooks',
      body: { url: receivers.url('good', randomUUID()), events: ['api_key.revoked'] },
    }),
  );
  const keys = await times(KEYS, () =>
    client.call({
      action: 'create-key',
      target: 'POST /v1/api-keys',
      body: { name: 'announced', scopes: ['read'] },
    }),
  );
  return async () => {
    const ids = keys.map((made) => answered(made, 'id')).filter((id) => typeof id === 'string');
    await Promise.all(
      ids.map((id) => client.call({ action: 'revoke-key', target: `DELETE /v1/api-keys/${id}` })),
    );
  };
}
