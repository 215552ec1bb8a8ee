import pino from 'pino';
import { dayMs } from '../../contracts/durations.ts';
import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { createStripeProcessor } from '../../infra/payments/card/stripe.ts';
import { startCardStandIn, until } from '../../infra/verification/testbed/index.ts';
import { movableClock } from '../testing.ts';
import { startServiceWithProcesses } from './processes.ts';

const logger = pino({ level: 'silent' });
export const prices = { personal: 'price_personal', team: 'price_team' } as const;
const secrets = { secretKey: 'sk_test_cards', webhookSecret: 'whsec_cards' };

interface CardServiceOptions {
  /** Whether the processor sends its callbacks; by default tests send them. */
  readonly sends?: boolean;
  /** Interval of the check of every account, in milliseconds. */
  readonly checkEveryMs?: number;
  readonly timeoutMs?: number;
}

/** The whole service with its processes, and a card processor on loopback. */
export async function startCardService({
  sends = false,
  checkEveryMs = dayMs,
  timeoutMs = 2000,
}: CardServiceOptions = {}) {
  const clock = movableClock();
  let port = 0;
  const processor = await startCardStandIn({
    ...secrets,
    prices: { [prices.personal]: 900, [prices.team]: 4900 },
    now: () => clock.now().getTime(),
    ...(sends && { callbackUrl: () => `http://127.0.0.1:${port}/v1/webhooks/card` }),
  });
  const adapter = createStripeProcessor({
    ...{ ...secrets, apiUrl: processor.url, prices, returnUrl: 'https://console.example/billing' },
    ...{ clock, logger, timeoutMs },
  });
  const config = { CARD_SECRET_KEY: secrets.secretKey, CARD_RECONCILE_EVERY: checkEveryMs };
  const service = await startServiceWithProcesses({ clock, processor: adapter, config });
  ({ port } = service);
  return {
    ...{ service, processor, clock },
    ...customersOn(service, processor),
    close: async () => {
      await service.close();
      await processor.close();
    },
  };
}

type Service = Awaited<ReturnType<typeof startServiceWithProcesses>>;
type StandIn = Awaited<ReturnType<typeof startCardStandIn>>;

/** Requests of account owners and of the processor over HTTP. */
function customersOn(service: Service, processor: StandIn) {
  const billing = async (token: string) => (await service.call('GET /v1/billing', { token })).json;
  const checkout = (token: string, tier = 'personal') =>
    service.call('POST /v1/billing/checkout-session', { token, body: { tier } });
  /** Sends a callback; an event of the processor, or any text. */
  const call = (event: object | string, headers?: Record<string, string>) => {
    const text = typeof event === 'string' ? event : JSON.stringify(event);
    return service.call('POST /v1/webhooks/card', {
      token: null,
      body: text,
      headers: headers ?? { ...processor.sign(text) },
    });
  };
  return {
    ...{ billing, checkout, call },
    /** An account with an open checkout page. */
    async buyer(tier = 'personal') {
      const { token, accountId } = await service.staff.account('free');
      await service.caughtUp();
      const page = await checkout(token, tier);
      const checkoutId = String(page.json.url).split('/').at(-1) ?? '';
      return { token, accountId, page, checkoutId };
    },
    customersOf: (accountId: AccountId) =>
      [...processor.ledger.customers.values()].filter(({ metadata }) => metadata.account_id === accountId),
    mails: async (accountId: AccountId, template: string) =>
      (await service.allEvents()).filter(({ type, data }) => {
        const queued = data as { accountId: string; template: string };
        return type === 'MailQueued' && queued.accountId === accountId && queued.template === template;
      }),
    recorded: async (accountId: AccountId, type: string) =>
      (await service.events(`subscription-${uuidOf(accountId)}`)).filter((event) => event.type === type),
    /** Resolves once the service shows these fields. */
    shows: (token: string, expected: Readonly<Record<string, unknown>>) =>
      until(async () => {
        const shown = await billing(token);
        return Object.entries(expected).every(([name, value]) => shown[name] === value) ? shown : undefined;
      }),
  };
}
