import { llmKeyFailures, llmProviders, type LlmKeyFailure } from '../events/own-llm-key.ts';
import { Type, Timestamp, closed, nullable, oneOf, requestBody, type Static } from '../schema.ts';
import { textForms } from '../text-forms.ts';

/** The form of a key. Only its provider can validate it further. */
export const PutOwnLlmKey = requestBody({
  api_key: Type.String({ minLength: 11, maxLength: 255, pattern: textForms.modelKey.pattern }),
});

export const OwnLlmKeyTest = closed({
  ok: Type.Boolean(),
  checked_at: Timestamp,
  error: Type.Optional(oneOf(llmKeyFailures)),
});
export type OwnLlmKeyTest = Static<typeof OwnLlmKeyTest>;

/** Never the key itself. */
export const OwnLlmKey = closed({
  configured: Type.Boolean(),
  provider: nullable(oneOf(llmProviders)),
  last4: nullable(Type.String()),
  created_at: nullable(Timestamp),
  /** Test of the present key. */
  last_test: nullable(OwnLlmKeyTest),
});
export type OwnLlmKey = Static<typeof OwnLlmKey>;

/** `error` null: the provider accepted the key. */
export const presentKeyTest = (test: {
  readonly error: LlmKeyFailure | null;
  readonly at: string;
}): OwnLlmKeyTest =>
  test.error === null
    ? { ok: true, checked_at: test.at }
    : { ok: false, checked_at: test.at, error: test.error };

/** The recorded state of a stored key. */
interface KnownKey {
  readonly provider: (typeof llmProviders)[number];
  readonly last4: string;
  readonly storedAt: string;
  readonly lastTest: Parameters<typeof presentKeyTest>[0] | null;
}

/** Undefined: no key is stored. */
export const presentOwnKey = (key: KnownKey | undefined): OwnLlmKey => ({
  configured: key !== undefined,
  provider: key?.provider ?? null,
  last4: key?.last4 ?? null,
  created_at: key?.storedAt ?? null,
  last_test: key?.lastTest ? presentKeyTest(key.lastTest) : null,
});
