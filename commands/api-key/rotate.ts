import type { ApiKeyEvent } from '../../contracts/events/api-key.ts';
import { uuidOf, type ApiKeyId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { account } from '../../domain/account.ts';
import { apiKey } from '../../domain/api-key.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { stepContext } from '../engine/derived-context.ts';
import type { CommandContext } from '../engine/context.ts';
import type { ApiKeyPorts, IssuedKey } from './ports.ts';

export interface RotatedKey extends IssuedKey {
  readonly previous: { readonly id: ApiKeyId; readonly graceEndsAt: string };
}

export type Rotation = Extract<ApiKeyEvent, { type: 'ApiKeyRotated' }>['data'];

/** Decided on the old key's stream, which carries the successor; the successor's own stream follows. */
export async function rotateApiKey(
  ports: ApiKeyPorts,
  apiKeyId: ApiKeyId,
  context: CommandContext,
): Promise<RotatedKey> {
  const { id, text, prefix, last4 } = ports.issueKey();
  const now = ports.clock.now();
  const at = now.toISOString();
  const { state } = await ports.runner.run(
    apiKey,
    uuidOf(apiKeyId),
    {
      type: 'RotateApiKey',
      successor: { apiKeyId: id, prefix, last4, hash: ports.hashKey(text) },
      graceEndsAt: new Date(now.getTime() + ports.graceMs).toISOString(),
      at,
    },
    stepContext(context, 'rotate-key'),
  );
  if (state.status !== 'rotated') throw refuse('conflict', `The key is ${state.status}.`);
  const { successor, graceEndsAt } = state;
  const position = await ensureSuccessor(ports, { apiKeyId, successor, at }, context);
  return { record: successor, text, createdAt: at, previous: { id: apiKeyId, graceEndsAt }, position };
}

/**
 * Makes the successor that a rotation names, and hands it the old key's reservation. Whoever does it, the
 * request itself, a revocation, or a process manager after a crash, writes the same event ids; done already, it does
 * nothing.
 */
export async function ensureSuccessor(
  { runner }: Pick<ApiKeyPorts, 'runner'>,
  { apiKeyId, successor, at }: Pick<Rotation, 'apiKeyId' | 'successor' | 'at'>,
  context: CommandContext,
): Promise<Position | undefined> {
  const finishing = { ...context, commandId: uuidOf(successor.apiKeyId) };
  const created = await runner.run(
    apiKey,
    uuidOf(successor.apiKeyId),
    { type: 'CreateApiKey', record: successor, rotatedFrom: apiKeyId, at },
    stepContext(finishing, 'create-key'),
    { create: true },
  );
  const replaced = await runner.run(
    account,
    uuidOf(successor.accountId),
    { type: 'ReplaceApiKey', apiKeyId, successorId: successor.apiKeyId, at },
    stepContext(finishing, 'replace-key'),
  );
  return replaced.position ?? created.position;
}
