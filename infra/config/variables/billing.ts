import { cardPrices, credential, cryptoProducts, duration, optional, standard, url } from '../kinds.ts';

/** What is sold, and the processors that take the money. Without its variables a processor's routes answer 503. */
export const billing = {
  CARD_API_URL: standard(
    url('http', 'https'),
    'https://api.stripe.com',
    'The origin of the card processor, an API of the form of Stripe; `/v1/…` is appended.',
  ),
  CARD_SECRET_KEY: optional(credential, 'The key that the card processor is called with.'),
  CARD_WEBHOOK_SECRET: optional(credential, 'What callbacks of the card processor are signed with.'),
  CARD_PRICES: standard(
    cardPrices,
    '{}',
    'The prices of the card processor by tier, such as `{"personal":"price_…"}`: the tiers that can be subscribed to.',
  ),
  CARD_RECONCILE_EVERY: standard(
    duration,
    '24h',
    'How old what is known of an account may become before the card processor is asked, without any callback.',
  ),
  CRYPTO_API_URL: standard(
    url('http', 'https'),
    'https://api.nowpayments.io',
    'The origin of the crypto processor, an API of the form of NOWPayments; `/v1/…` is appended.',
  ),
  CRYPTO_API_KEY: optional(credential, 'The key that the crypto processor is called with.'),
  CRYPTO_IPN_SECRET: optional(credential, 'What callbacks of the crypto processor are signed with.'),
  CRYPTO_PRODUCTS: standard(
    cryptoProducts,
    '{"api_starter_month":{"cents":1900,"tier":"api_starter","days":30},"api_builder_month":{"cents":4900,"tier":"api_builder","days":30},"api_scale_month":{"cents":19900,"tier":"api_scale","days":30}}',
    'What can be paid with crypto: for its price in US cents, each gives a tier for some days.',
  ),
  CRYPTO_WINDOW: standard(duration, '60m', 'How long an order may be paid after it was placed.'),
  CRYPTO_SWEEP_AFTER: standard(duration, '24h', 'The age at which an order that is still pending is swept.'),
} as const;
