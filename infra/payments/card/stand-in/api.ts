import type { Card, Subscription } from './book.ts';
import { formAt, parseForm, textAt, textsOf, type Form } from './form.ts';
import type { Ledger } from './ledger.ts';

/** A request of the API; `form` is its body or query. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly form: Form;
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** An error in the processor's format. */
export const failure = (status: number, error: Readonly<Record<string, string>>): ApiAnswer => ({
  status,
  body: { error },
});

const invalid = (status: number, message: string, more: Readonly<Record<string, string>> = {}): ApiAnswer =>
  failure(status, { type: 'invalid_request_error', message, ...more });

const missing = (what: string, id: string, status = 404, param = 'id'): ApiAnswer =>
  invalid(status, `No such ${what}: '${id}'`, { code: 'resource_missing', param });

const ok = (body: unknown): ApiAnswer => ({ status: 200, body });

/** A list in the API's format, newest first. */
const listOf = <Each extends { readonly created: number }>(
  path: string,
  all: Iterable<Each>,
  { limit = '10' }: { limit?: string | undefined },
): ApiAnswer => {
  const data = [...all].toReversed().toSorted((a, b) => b.created - a.created);
  const most = Number(limit);
  return ok({ object: 'list', url: path, data: data.slice(0, most), has_more: data.length > most });
};

interface Addresses {
  readonly checkout: (id: string) => string;
  readonly portal: (id: string) => string;
}

type Call = (ledger: Ledger, request: ApiRequest & { readonly id: string }, urls: Addresses) => ApiAnswer;

/** The supported calls with their parameters; others are refused, like by the processor. */
const calls: readonly (readonly [call: RegExp, takes: readonly string[], run: Call])[] = [
  [
    /^POST \/v1\/customers$/,
    ['metadata'],
    (ledger, { form }) => ok(ledger.addCustomer(textsOf(formAt(form, 'metadata')))),
  ],
  [
    /^DELETE \/v1\/customers\/(\w+)$/,
    [],
    (ledger, { id }) => {
      if (!ledger.customers.has(id)) return missing('customer', id);
      ledger.dropCustomer(id);
      return ok({ id, object: 'customer', deleted: true });
    },
  ],
  [
    /^POST \/v1\/checkout\/sessions$/,
    [
      ...['mode', 'customer', 'client_reference_id', 'line_items', 'subscription_data'],
      ...['success_url', 'cancel_url'],
    ],
    openCheckout,
  ],
  [
    /^GET \/v1\/checkout\/sessions$/,
    ['customer', 'status', 'limit'],
    (ledger, { form, path }) => {
      const [customer, status] = [textAt(form, 'customer'), textAt(form, 'status')];
      const own = [...ledger.checkouts.values()].filter(
        (each) => each.customer === customer && (status === undefined || each.status === status),
      );
      const shown = own.map(({ id }) => ledger.checkout(id));
      return listOf(path, shown, { limit: textAt(form, 'limit') });
    },
  ],
  [
    /^POST \/v1\/checkout\/sessions\/(\w+)\/expire$/,
    [],
    (ledger, { id }) => {
      const status = ledger.checkouts.get(id)?.status;
      if (status === undefined) return missing('checkout.session', id);
      if (status === 'open') return ok(ledger.expire(id));
      return invalid(
        400,
        `Only Checkout Sessions with a status in ["open"] can be expired, not ${String(status)}.`,
      );
    },
  ],
  [
    /^POST \/v1\/billing_portal\/sessions$/,
    ['customer', 'return_url', 'flow_data'],
    (ledger, { form }, urls) => {
      const customer = textAt(form, 'customer') ?? '';
      if (!ledger.customers.has(customer)) return missing('customer', customer, 400, 'customer');
      const updated = textAt(formAt(formAt(form, 'flow_data'), 'subscription_update'), 'subscription');
      if (updated !== undefined && !ledger.subscriptions.has(updated))
        return missing('subscription', updated, 400, 'flow_data[subscription_update][subscription]');
      const facts = { object: 'billing_portal.session', customer, created: ledger.now, livemode: false };
      return ok({ id: `bps_${customer}`, ...facts, url: urls.portal(customer) });
    },
  ],
  [
    /^GET \/v1\/subscriptions$/,
    ['customer', 'status', 'limit', 'expand'],
    (ledger, { form, path }) => {
      const customer = textAt(form, 'customer') ?? '';
      const all = textAt(form, 'status') === 'all';
      const own = [...ledger.subscriptions.values()].filter(
        (each) => each.customer === customer && (all || each.status !== 'canceled'),
      );
      const shown = own.map((each) => expanded(each, ledger.cards, form, 'data.default_payment_method'));
      return listOf(path, shown, { limit: textAt(form, 'limit') });
    },
  ],
  [
    /^GET \/v1\/subscriptions\/(\w+)$/,
    ['expand'],
    (ledger, { id, form }) => {
      const each = ledger.subscriptions.get(id);
      return each === undefined
        ? missing('subscription', id)
        : ok(expanded(each, ledger.cards, form, 'default_payment_method'));
    },
  ],
  [
    /^GET \/v1\/invoices$/,
    ['customer', 'limit', 'expand'],
    (ledger, { form, path }) => {
      const own = [...ledger.invoices.values()].filter((each) => each.customer === textAt(form, 'customer'));
      return listOf(path, own, { limit: textAt(form, 'limit') });
    },
  ],
  [
    /^GET \/v1\/invoices\/(\w+)$/,
    ['expand'],
    (ledger, { id }) => {
      const each = ledger.invoices.get(id);
      return each === undefined ? missing('invoice', id) : ok(each);
    },
  ],
];

function openCheckout(ledger: Ledger, { form }: ApiRequest, urls: Addresses): ApiAnswer {
  const customer = textAt(form, 'customer') ?? '';
  if (!ledger.customers.has(customer)) return missing('customer', customer, 400, 'customer');
  const price = textAt(formAt(formAt(form, 'line_items'), '0'), 'price') ?? '';
  if (!ledger.hasPrice(price)) return missing('price', price, 400, 'line_items[0][price]');
  if (textAt(form, 'mode') !== 'subscription')
    return invalid(400, 'You must provide one of the following modes.', { param: 'mode' });
  const metadata = textsOf(formAt(formAt(form, 'subscription_data'), 'metadata'));
  const success_url = textAt(form, 'success_url') ?? null;
  const client_reference_id = textAt(form, 'client_reference_id') ?? null;
  return ok(
    ledger.addCheckout({ customer, price, metadata, success_url, client_reference_id }, urls.checkout),
  );
}

/** With the card expanded, if requested. */
const expanded = (
  subscription: Subscription,
  cards: ReadonlyMap<string, Card>,
  form: Form,
  field: string,
): Omit<Subscription, 'default_payment_method'> & { default_payment_method: unknown } => {
  const asked = Object.values(textsOf(formAt(form, 'expand'))).includes(field);
  const id = subscription.default_payment_method;
  return asked && id !== null
    ? { ...subscription, default_payment_method: cards.get(id) ?? null }
    : subscription;
};

/** Answers a call like the processor. */
export function answerCall(ledger: Ledger, request: ApiRequest, urls: Addresses): ApiAnswer {
  const address = `${request.method} ${request.path}`;
  for (const [call, takes, run] of calls) {
    const match = call.exec(address);
    if (match === null) continue;
    const unknown = Object.keys(request.form).find((name) => !takes.includes(name));
    if (unknown !== undefined)
      return invalid(400, `Received unknown parameter: ${unknown}`, {
        code: 'parameter_unknown',
        param: unknown,
      });
    return run(ledger, { ...request, id: match[1] ?? '' }, urls);
  }
  return invalid(404, `Unrecognized request URL (${request.method}: ${request.path}).`);
}

export { parseForm };
