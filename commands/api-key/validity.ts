import { uuidOf, type ApiKeyId } from '../../contracts/ids.ts';
import { apiKey, validityAt } from '../../domain/api-key.ts';
import type { CommandPorts } from '../engine/runner.ts';

/** Whether the key is accepted now. Read from the log, so it includes every acknowledged revocation. */
export async function isActiveKey({ runner, clock }: CommandPorts, id: ApiKeyId): Promise<boolean> {
  return validityAt((await runner.load(apiKey, uuidOf(id))).state, clock.now()) === 'active';
}
