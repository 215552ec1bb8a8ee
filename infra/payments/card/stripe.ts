import type { Logger } from 'pino';
import type Stripe from 'stripe';
import { refuse } from '../../../contracts/problems.ts';
import { tiers, type Tier } from '../../../contracts/tiers.ts';
import type { Clock } from '../../platform/clock.ts';
import { describeInvoice, describeSubscription, isClosed, type TierOfPrice } from './answers.ts';
import { eventOf } from './callback.ts';
import { asking } from './failures.ts';
import type { CardAnswer, CardProcessor, CardQuestion } from './types.ts';

/** The API version of the SDK. */
export const apiVersion = '2026-10-28.endive';

export interface StripeOptions {
  /** Base URL; `/v1/…` is appended. */
  readonly apiUrl: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly prices: Readonly<Partial<Record<Tier, string>>>;
  /** Return URL of the processor's pages. */
  readonly returnUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Timeout of one call, in milliseconds. A request of ours makes at most two, and must be answered within 20 s. */
  readonly timeoutMs?: number;
}

/** Number of invoices that are listed for a callback: one that it names and that is not among them is fetched by id. */
const latestInvoices = 20;
/** Otherwise, above all for checks, which find payments whose callbacks were lost: as many as a list may have. */
const checkedInvoices = 100;

/** Lifetime of an unopened portal page. */
const portalTtlMs = 5 * 60_000;

/** Maximum age of a callback's signature, in seconds. */
const toleranceSeconds = 300;

/** The SDK, loaded on first use: it takes some memory, and most processes never call it. */
function createClient({ apiUrl, secretKey, timeoutMs = 8000 }: StripeOptions): () => Promise<Stripe> {
  const { hostname, port, protocol, pathname } = new URL(apiUrl);
  let client: Promise<Stripe> | undefined;
  const load = async () => {
    const { default: Sdk } = await import('stripe');
    return new Sdk(secretKey, {
      apiVersion,
      telemetry: false,
      maxNetworkRetries: 0,
      timeout: timeoutMs,
      host: hostname.replace(/^\[|\]$/g, ''),
      httpClient: underPath(Sdk.createNodeHttpClient(), pathname.replace(/\/+$/, '')),
      protocol: protocol === 'http:' ? 'http' : 'https',
      port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    });
  };
  return () => (client ??= load());
}

/** The SDK takes no base path. */
function underPath(client: Stripe.HttpClient, base: string): Stripe.HttpClient {
  const request = client.makeRequest.bind(client);
  client.makeRequest = (host, port, path, ...rest) => request(host, port, `${base}${path}`, ...rest);
  return client;
}

type Ask = ReturnType<typeof asking>;

/** Stripe, or a compatible processor. */
export function createStripeProcessor(options: StripeOptions): CardProcessor {
  const { prices, webhookSecret, clock } = options;
  const client = createClient(options);
  const ask = asking(client, options);
  const tierOf: TierOfPrice = (price) => tiers.find((tier) => price !== null && prices[tier] === price);
  return {
    ...pages(ask, options),
    sells: (tier) => prices[tier] !== undefined,
    createCustomer: async (accountId, idempotencyKey) => {
      const metadata = { account_id: accountId };
      return (await ask((stripe) => stripe.customers.create({ metadata }, { idempotencyKey }))).id;
    },
    closeCheckouts: async (customer, which) => {
      const open = await ask.orNothing((stripe) =>
        stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 }),
      );
      const newestFirst = (open?.data ?? []).toSorted((a, b) => b.created - a.created);
      for (const { id } of newestFirst.slice(which === 'all' ? 0 : 1))
        await ask.orNothing((stripe) => stripe.checkout.sessions.expire(id));
    },
    ask: (question) => askAbout(ask, question, tierOf),
    deleteCustomer: async (customerId) => {
      await ask.orNothing((stripe) => stripe.customers.del(customerId));
    },
    readCallback: async (bytes, signature) => {
      const { webhooks } = await client();
      const now = clock.now();
      const construct = () =>
        webhooks.constructEvent(bytes, signature, webhookSecret, toleranceSeconds, undefined, now.getTime());
      return eventOf(construct, now, tierOf);
    },
  };
}

/** The pages for account owners. */
const pages = (
  ask: Ask,
  { prices, returnUrl, clock }: StripeOptions,
): Pick<CardProcessor, 'openCheckout' | 'openPortal'> => ({
  openCheckout: async ({ customerId, accountId, tier, idempotencyKey }) => {
    const price = prices[tier];
    if (price === undefined) throw refuse('bad-request', 'The tier has no price.');
    const session = {
      mode: 'subscription' as const,
      customer: customerId,
      client_reference_id: accountId,
      line_items: [{ price, quantity: 1 }],
      subscription_data: { metadata: { account_id: accountId, tier } },
      success_url: `${returnUrl}?checkout=done`,
      cancel_url: `${returnUrl}?checkout=cancelled`,
    };
    const { url, expires_at: expires } = await ask((stripe) =>
      stripe.checkout.sessions.create(session, { idempotencyKey }),
    );
    if (url === null) throw refuse('payments-unavailable', 'The payment processor returned no page.');
    return { url, expires_at: new Date(expires * 1000).toISOString() };
  },
  openPortal: async ({ customerId, changing, idempotencyKey }) => {
    const flow = changing !== undefined && {
      flow_data: { type: 'subscription_update' as const, subscription_update: { subscription: changing } },
    };
    const portal = { customer: customerId, return_url: returnUrl, ...flow };
    const { url } = await ask((stripe) => stripe.billingPortal.sessions.create(portal, { idempotencyKey }));
    return { url, expires_at: new Date(clock.now().getTime() + portalTtlMs).toISOString() };
  },
});

/** Expands a subscription's card, and its customer's. */
const expand = ['default_payment_method', 'customer.invoice_settings.default_payment_method'];

async function askAbout(
  ask: Ask,
  { customerId: customer, tiers, subscriptionId, invoiceId, isFailure = false, said }: CardQuestion,
  tierOf: TierOfPrice,
): Promise<CardAnswer> {
  const ofList = expand.map((field) => `data.${field}`);
  const [listed, latest] = await Promise.all([
    ask.orNothing((stripe) =>
      stripe.subscriptions.list({ customer, status: 'all', limit: 100, expand: ofList }),
    ),
    ask.orNothing((stripe) =>
      stripe.invoices.list({ customer, limit: invoiceId === undefined ? checkedInvoices : latestInvoices }),
    ),
  ]);
  const subscriptions = await withNamed(listed?.data ?? [], subscriptionId, (id) =>
    ask.orNothing((stripe) => stripe.subscriptions.retrieve(id, { expand })),
  );
  const invoices = await withNamed(latest?.data ?? [], invoiceId, (id) =>
    ask.orNothing((stripe) => stripe.invoices.retrieve(id)),
  );
  const described = [
    ...subscriptions.flatMap((each) => describeSubscription(each, tierOf, tiers?.[each.id]) ?? []),
    ...(said?.subscription && !has(subscriptions, subscriptionId)
      ? [{ ...said.subscription, saidAt: said.createdAt }]
      : []),
  ];
  const charged = [
    ...invoices.flatMap((each) => describeInvoice(each, tierOf, isFailure && each.id === invoiceId) ?? []),
    ...(said?.invoice && !has(invoices, invoiceId) ? [said.invoice] : []),
  ];
  return {
    subscriptions: described,
    invoices: charged.map((invoice) => {
      const owner = described.find(({ subscriptionId: id }) => id === invoice.subscriptionId);
      return { ...invoice, tier: invoice.tier ?? owner?.tier ?? null };
    }),
    closedInvoices: invoices.filter(isClosed).map(({ id }) => id),
  };
}

const has = (objects: readonly { readonly id: string }[], id: string | null | undefined): boolean =>
  objects.some((each) => each.id === id);

/** The listed objects and the named one, fetched by id unless it is among them. */
async function withNamed<Each extends { readonly id: string }>(
  listed: readonly Each[],
  id: string | null | undefined,
  retrieve: (id: string) => Promise<Each | undefined>,
): Promise<readonly Each[]> {
  if (!id || has(listed, id)) return listed;
  const named = await retrieve(id);
  return named === undefined ? listed : [...listed, named];
}
