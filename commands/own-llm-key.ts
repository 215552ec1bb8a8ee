import { dayMs } from '../contracts/durations.ts';
import type { LlmKeyFailure } from '../contracts/events/own-llm-key.ts';
import { uuidOf, type AccountId } from '../contracts/ids.ts';
import {
  ownLlmKey,
  storedKey,
  type OwnKeyReminder,
  type OwnLlmKeyCommand,
  type StoredLlmKey,
} from '../domain/own-llm-key.ts';
import { after } from '../domain/kit/time.ts';
import type { Vault } from '../infra/vault/index.ts';
import { now, ownedStep, type CommandContext } from './engine/context.ts';
import { openSealedOrThrow } from './engine/open-sealed.ts';
import type { CommandPorts, Runner } from './engine/runner.ts';
import { queueMail, type QueuePorts } from './mail/index.ts';

export interface OwnLlmKeyPorts extends CommandPorts {
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  /** Tests the key with the provider; null if it is accepted. Never rejects. */
  readonly tryKey: (apiKey: string) => Promise<LlmKeyFailure | null>;
  /** Age of a key at which its owner is reminded to replace it, in milliseconds. */
  readonly reminderMs: number;
}

/** Commands on an account's own key of a model provider. */
export function createOwnLlmKeyCommands(ports: OwnLlmKeyPorts) {
  const { runner, vault, tryKey, reminderMs } = ports;
  const run = (accountId: AccountId, command: OwnLlmKeyCommand, context: CommandContext) =>
    runner.run(ownLlmKey, uuidOf(accountId), command, context);
  return {
    /** Seals the key and replaces the previous one. */
    async store(accountId: AccountId, apiKey: string, context: CommandContext) {
      const step = ownedStep(context, accountId, 'store-own-llm-key');
      const { commandId: keyId } = step;
      const at = now(ports);
      const sealedKey = await vault.seal(accountId, fieldOf(keyId), apiKey);
      const remindAt = after(at, reminderMs);
      const facts = { accountId, keyId, provider: 'anthropic', sealedKey, last4: apiKey.slice(-4) } as const;
      const command = { type: 'StoreKey', ...facts, remindAt, at } as const;
      const { state, position } = await run(accountId, command, step);
      return { key: storedKey(state), position };
    },
    /** Idempotent. */
    async remove(accountId: AccountId, context: CommandContext) {
      const step = ownedStep(context, accountId, 'remove-own-llm-key');
      return (await run(accountId, { type: 'RemoveKey', at: now(ports) }, step)).position;
    },
    /** Tests the stored key with the provider, and records the answer. Throws `not-found` if none is stored. */
    async test(accountId: AccountId, context: CommandContext) {
      const stored = storedKey((await runner.load(ownLlmKey, uuidOf(accountId))).state);
      const { keyId } = stored;
      const test = { error: await tryKey(await textOf(vault, stored)), at: now(ports) };
      const step = ownedStep(context, accountId, 'record-own-llm-key-test');
      const { position } = await run(accountId, { type: 'RecordTest', keyId, ...test }, step);
      return { test, position };
    },
  };
}

/** The account's stored key; null if it has none. */
export async function storedProviderKey(
  { runner, vault }: Pick<OwnLlmKeyPorts, 'runner' | 'vault'>,
  accountId: AccountId,
): Promise<string | null> {
  const { state } = await runner.load(ownLlmKey, uuidOf(accountId));
  return state.status === 'none' ? null : textOf(vault, state);
}

const textOf = (vault: Pick<Vault, 'open'>, { accountId, keyId, sealedKey }: StoredLlmKey): Promise<string> =>
  openSealedOrThrow(vault, accountId, fieldOf(keyId), sealedKey);

export type OwnLlmKeyCommands = ReturnType<typeof createOwnLlmKeyCommands>;

/** The context of a sealed key: its own id, so that it cannot be moved to another. */
const fieldOf = (keyId: string): string => `own llm key ${keyId}`;

/** Queues the reminder of an aged key, unless it was replaced or removed meanwhile. */
export async function queueKeyReminder(
  ports: QueuePorts & { readonly runner: Runner },
  { accountId, keyId, at }: OwnKeyReminder,
  context: CommandContext,
): Promise<void> {
  const { state } = await ports.runner.load(ownLlmKey, uuidOf(accountId));
  if (state.status === 'none' || state.keyId !== keyId) return;
  const secret_days = Math.floor((Date.parse(at) - Date.parse(state.storedAt)) / dayMs);
  const facts = { secret_since: state.storedAt.slice(0, 10), secret_days };
  await queueMail(ports, { accountId, template: 'own-key-reminder', facts }, context);
}
