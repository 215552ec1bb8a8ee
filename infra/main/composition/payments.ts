import type { Config } from '../../config/index.ts';
import { createNowPayments } from '../../crypto-payments/nowpayments.ts';
import type { CryptoPayments } from '../../crypto-payments/port.ts';
import { createStripeProcessor } from '../../payments/card/stripe.ts';
import type { CardProcessor } from '../../payments/card/types.ts';
import type { RoleContext } from '../roles/role.ts';
import { consoleUrl } from './links.ts';

/** Undefined without the key or the callbacks' secret: payments are unavailable. */
export function openCryptoPayments(config: Config): CryptoPayments | undefined {
  const { CRYPTO_API_KEY: apiKey, CRYPTO_IPN_SECRET: secret } = config;
  if (apiKey === undefined || secret === undefined) return undefined;
  const callbackUrl = config.BASE_URL && `${config.BASE_URL}/v1/webhooks/crypto`;
  return createNowPayments({ baseUrl: config.CRYPTO_API_URL, apiKey, callbackUrl });
}

/** Undefined unless its keys are configured. */
export function openCardProcessor({
  config,
  clock,
  logger,
}: Pick<RoleContext, 'config' | 'clock' | 'logger'>): CardProcessor | undefined {
  const { CARD_SECRET_KEY: secretKey, CARD_WEBHOOK_SECRET: webhookSecret } = config;
  if (secretKey === undefined || webhookSecret === undefined) return undefined;
  return createStripeProcessor({
    ...{ apiUrl: config.CARD_API_URL, secretKey, webhookSecret, prices: config.CARD_PRICES },
    returnUrl: `${consoleUrl(config)}/billing`,
    ...{ clock, logger },
  });
}
