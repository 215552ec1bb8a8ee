import { credential, duration, integer, optional, standard, url } from '../kinds.ts';

/** The provider of language models, and the model that comes with the service. */
export const llm = {
  LLM_API_KEY: optional(
    credential,
    "The service's own key of the model provider: what accounts use that bring none. No bundled model when unset.",
  ),
  LLM_BASE_URL: standard(
    url('http', 'https'),
    'https://api.anthropic.com',
    'The model provider; `/v1/…` comes after it. The rules for outbound addresses apply to it (`OUTBOUND_ALLOW`).',
  ),
  BYOK_REMINDER: standard(
    duration,
    '60d',
    "The age of an account's own model-provider key at which its owner is reminded to replace it.",
  ),
  BUNDLED_LLM_CAP: standard(
    integer(0, 2 ** 31 - 1),
    '2000',
    'What an account may spend on the bundled model in a calendar month, in cents of a US dollar; staff can raise it for one.',
  ),
} as const;
