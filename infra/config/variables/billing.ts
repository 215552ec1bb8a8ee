import {
  baseUrl,
  cardPrices,
  credential,
  cryptoProducts,
  duration,
  optional,
  standard,
  url,
} from '../kinds.ts';

/** Products, and payment processors. Without its variables a processor's routes answer 503. */
export const billing = {
  CARD_API_URL: standard(
    url('http', 'https'),
    'https://api.stripe.com',
    "Base URL of the card processor, with Stripe's API; `/v1/…` is appended.",
  ),
  CARD_SECRET_KEY: optional(credential, 'API key of the card processor.'),
  CARD_WEBHOOK_SECRET: optional(credential, "Signing secret of the card processor's callbacks."),
  CARD_PRICES: standard(
    cardPrices,
    '{}',
    'Price ids of the card processor by tier, such as `{"personal":"price_…"}`: the tiers for subscriptions.',
  ),
  CARD_RECONCILE_EVERY: standard(
    duration,
    '24h',
    "Maximum age of an account's card state before the card processor is queried without a callback.",
  ),
  CRYPTO_API_URL: standard(
    baseUrl,
    'https://api.nowpayments.io',
    "Base URL of the crypto processor, with NOWPayments' API; `/v1/…` is appended.",
  ),
  CRYPTO_API_KEY: optional(credential, 'API key of the crypto processor.'),
  CRYPTO_IPN_SECRET: optional(credential, "Signing secret of the crypto processor's callbacks."),
  CRYPTO_PRODUCTS: standard(
    cryptoProducts,
    '{"api_starter_month":{"cents":1900,"tier":"api_starter","days":30},"api_builder_month":{"cents":4900,"tier":"api_builder","days":30},"api_scale_month":{"cents":19900,"tier":"api_scale","days":30}}',
    'Products for crypto payments, with price in US cents, tier and number of days.',
  ),
  CRYPTO_WINDOW: standard(duration, '60m', 'Payment window of an order.'),
  CRYPTO_SWEEP_AFTER: standard(duration, '24h', 'The age at which an order that is still pending is swept.'),
} as const;
