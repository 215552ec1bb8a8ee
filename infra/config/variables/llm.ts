import { baseUrl, credential, duration, integer, optional, standard } from '../kinds.ts';

/** The provider of language models, and the bundled model. */
export const llm = {
  LLM_API_KEY: optional(
    credential,
    "The service's own key of the model provider, used by accounts without a key of their own. Without it there is no bundled model.",
  ),
  LLM_BASE_URL: standard(
    baseUrl,
    'https://api.anthropic.com',
    'Base URL of the model provider; `/v1/…` is appended. The rules for outbound addresses apply (`OUTBOUND_ALLOW`).',
  ),
  BYOK_REMINDER: standard(
    duration,
    '60d',
    "The age of an account's own model-provider key at which its owner is reminded to replace it.",
  ),
  BUNDLED_LLM_CAP: standard(
    integer(0, 2 ** 31 - 1),
    '2000',
    "Monthly cap of an account's spending on the bundled model, in US cents; staff can raise it per account.",
  ),
} as const;
