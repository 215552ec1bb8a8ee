import { field, grouped, type Evidence, type LogEvent } from '../evidence/index.ts';
import type { Exchange } from '../history.ts';
import type { Invariant, Violation } from './invariant.ts';
import { centsIn } from './payments.ts';

export const moneyIsExplained: Invariant = {
  id: 'N20',
  holds:
    'Each invoice that the card processor was paid is recorded once, on the account whose customer paid it, with one receipt by mail if it was not of zero. The bills of an account come to what it has paid. An account has one customer at most. Every callback is taken in the end, and what was taken is in the log.',
  judged:
    'the raw subscription, order, mail and callback streams, and the answers to `GET /v1/billing/explain` after the drain, against the books of both processors’ stand-ins',
  violations: (evidence) => [
    ...invoices(evidence),
    ...receipts(evidence),
    ...bills(evidence),
    ...customers(evidence),
    ...callbacks(evidence),
  ],
};

const ofType = ({ log }: Evidence, wanted: string): readonly LogEvent[] =>
  log.filter(({ type }) => type === wanted);

function invoices(evidence: Evidence): Violation[] {
  const recorded = grouped(ofType(evidence, 'InvoicePaid'), (event) => field(event, 'invoiceId'));
  const paid = evidence.payments.invoices.filter(({ status }) => status === 'paid');
  const known = new Set(paid.map(({ id }) => id));
  return [
    ...[...recorded.keys()].filter((id) => !known.has(id)).map((id) => ({ what: `${id} was not paid` })),
    ...paid.flatMap(({ id, account, cents }) => {
      const [event, ...more] = recorded.get(id) ?? [];
      const isRight =
        event?.stream === `subscription-${account.slice('acc_'.length)}` && event.data.amountCents === cents;
      if (isRight && more.length === 0) return [];
      const found = JSON.stringify(event?.data ?? 'nothing');
      return [{ what: `${id} of ${cents} cents by ${account} left ${found} and ${more.length} more` }];
    }),
  ];
}

const perAccount = (events: readonly LogEvent[]) => grouped(events, (event) => field(event, 'accountId'));

function receipts(evidence: Evidence): Violation[] {
  const due = perAccount(ofType(evidence, 'InvoicePaid').filter(({ data }) => data.amountCents !== 0));
  const queued = perAccount(
    ofType(evidence, 'MailQueued').filter(({ data }) => data.template === 'billing-receipt'),
  );
  return [...new Set([...due.keys(), ...queued.keys()])].flatMap((account) => {
    const [mails, paid] = [queued.get(account)?.length ?? 0, due.get(account)?.length ?? 0];
    return mails === paid ? [] : [{ what: `${account} has ${mails} receipts for ${paid} paid invoices` }];
  });
}

/** Checks the bills of the requested accounts: one of each month of the run was read after the drain. */
function bills(evidence: Evidence): Violation[] {
  const invoiced = perAccount(ofType(evidence, 'InvoicePaid'));
  const ordered = perAccount(ofType(evidence, 'OrderPaid'));
  const read = grouped(
    evidence.history.filter(({ action, answer }) => action === 'explain' && answer.kind === 'done'),
    ({ account }) => account,
  );
  return [...new Set([...invoiced.keys(), ...ordered.keys()])].flatMap((account) => {
    const paid =
      centsIn(invoiced.get(account) ?? [], 'amountCents') + centsIn(ordered.get(account) ?? [], 'priceCents');
    const shown = read.get(account) ?? [];
    const total = shown.reduce((sum, exchange) => sum + totalOf(exchange), 0);
    if (total === paid) return [];
    const requests = shown.map(({ id }) => id);
    return [{ what: `the bills of ${account} come to ${total} cents, and it paid ${paid}`, requests }];
  });
}

const totalOf = ({ answer }: Exchange): number =>
  (JSON.parse(answer.text ?? '{}') as { readonly total_cents: number }).total_cents;

function customers({ payments }: Evidence): Violation[] {
  return [...grouped(payments.customers, ({ account }) => account)]
    .filter(([, same]) => same.length > 1)
    .map(([account, same]) => ({ what: `${account} has ${same.length} customers at the card processor` }));
}

function callbacks(evidence: Evidence): Violation[] {
  const kept = grouped(
    evidence.log.filter(({ category }) => category === 'processor_event'),
    ({ type, data }) =>
      type === 'CardEventReceived'
        ? String(data.eventId)
        : `${String(data.paymentId)} ${String(data.status)}`,
  );
  return evidence.payments.callbacks.flatMap(({ processor, id, says, isLost, isTaken }) => {
    const name = `a callback of the ${processor} processor (${says} of ${id})`;
    if (!isTaken) return isLost ? [] : [{ what: `${name} was never taken` }];
    const times = kept.get(processor === 'card' ? id : `${id} ${says}`)?.length ?? 0;
    if (times === 0) return [{ what: `${name} was taken, and is not in the log` }];
    return processor === 'card' && times > 1 ? [{ what: `${name} is in the log ${times} times` }] : [];
  });
}
