import { Type, Timestamp, closed, nullable, oneOf } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { category, entryOn, timersOn, type EventOf } from './catalogue.ts';

const entry = entryOn('account');
const timer = timersOn('accountId');
/** Each stored key has an id, so that a test or a reminder of a replaced key does not apply to its successor. */
const keyId = Type.String();
const of = { accountId: idSchema('account'), keyId, at: Timestamp };

export const llmProviders = ['anthropic'] as const;

/** Why a test of a key failed; texts of the service. */
export const llmKeyFailures = [
  'rejected',
  'provider_error',
  'unreachable',
  'timeout',
  'egress_blocked',
] as const;
export type LlmKeyFailure = (typeof llmKeyFailures)[number];

/** `own_llm_key-<account uuid>`: the account's own key of a model provider. */
export const ownLlmKeyEvents = category(
  'own_llm_key',
  {
    OwnLlmKeyStored: closed({
      ...of,
      provider: oneOf(llmProviders),
      /** Sealed with the account's data key, for this field only. */
      sealedKey: Type.String(),
      last4: Type.String(),
      /** When the owner is reminded to replace it. */
      remindAt: Timestamp,
    }),
    OwnLlmKeyTested: closed({
      ...of,
      /** Null: the provider accepted the key. */
      error: nullable(oneOf(llmKeyFailures)),
    }),
    OwnLlmKeyRemoved: closed(of),
    /** The key has reached the age at which its owner is reminded to replace it. */
    OwnLlmKeyAged: closed(of),
  },
  {
    audit: {
      OwnLlmKeyStored: ({ accountId: id, provider, last4 }) =>
        entry('byok_llm_key.stored', id, { provider, last4 }),
      OwnLlmKeyTested: ({ accountId: id, error }) =>
        entry('byok_llm_key.tested', id, { ok: error === null, error }),
      OwnLlmKeyRemoved: ({ accountId: id }) => entry('byok_llm_key.deleted', id),
    },
    timers: {
      OwnLlmKeyStored: timer.starts('own_llm_key_age', 'remindAt'),
      OwnLlmKeyRemoved: timer.ends('own_llm_key_age'),
      OwnLlmKeyAged: timer.ends('own_llm_key_age'),
    },
  },
);
export type OwnLlmKeyEvent = EventOf<typeof ownLlmKeyEvents>;
