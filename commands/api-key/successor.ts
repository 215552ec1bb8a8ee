import type { ApiKeyEvent } from '../../contracts/events/api-key.ts';
import { uuidOf } from '../../contracts/ids.ts';
import { account } from '../../domain/account.ts';
import { apiKey } from '../../domain/api-key.ts';
import type { DataOf } from '../../domain/kit/decider.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { ownedContext, stepContext, type CommandContext } from '../engine/context.ts';
import type { CommandPorts } from '../engine/runner.ts';

type Rotation = Pick<DataOf<ApiKeyEvent, 'ApiKeyRotated'>, 'apiKeyId' | 'successor' | 'at'>;

/**
 * Creates the successor that a rotation names, and transfers the old key's reservation to it. Idempotent: the request, a
 * revocation, an erasure and, after a crash, a process manager all write the same event ids.
 */
export async function ensureSuccessor(
  { runner }: CommandPorts,
  { apiKeyId, successor, at }: Rotation,
  context: CommandContext,
): Promise<Position | undefined> {
  const { apiKeyId: successorId, accountId } = successor;
  const finishing = { ...ownedContext(context, accountId), commandId: uuidOf(successorId) };
  const create = { type: 'CreateApiKey', record: successor, rotatedFrom: apiKeyId, at } as const;
  const createStep = stepContext(finishing, 'create-key');
  const created = await runner.run(apiKey, uuidOf(successorId), create, createStep, { create: true });
  const replace = { type: 'ReplaceApiKey', apiKeyId, successorId, at } as const;
  const replaceStep = stepContext(finishing, 'replace-key');
  const replaced = await runner.run(account, uuidOf(accountId), replace, replaceStep);
  return replaced.position ?? created.position;
}
