import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { Check } from 'typebox/value';
import type { AccountId } from '../../../contracts/ids.ts';
import { textForms } from '../../../contracts/text-forms.ts';
import { Type } from '../../../contracts/schema.ts';
import { isTier } from '../../../contracts/tiers.ts';
import { priceUnder, type Tariff } from '../../../domain/bill.ts';
import { paidInMonth } from '../../../projections/queries/bill.ts';
import type { ServiceCommand } from './command.ts';
import type { Operator } from './operator.ts';
import { listAnswer, type Answer } from './output.ts';

/** `service billing …` */
export function billingCommands(program: ServiceCommand): void {
  program
    .command('billing')
    .description('payments of accounts')
    .command('reprice')
    .description('compare what was paid in a month with the prices of another tariff; changes nothing')
    .requiredOption(
      '--tariff <file>',
      'JSON: {"cards":{"<tier>":<cents>},"crypto":{"<product>":<cents>}}',
      tariffIn,
    )
    .requiredOption('--period <month>', 'YYYY-MM, UTC', month)
    .operates('object', reprice);
}

interface Amounts {
  readonly billed_cents: number;
  readonly repriced_cents: number;
}
interface InCurrency {
  readonly currency: string;
}
type Sums<Of extends InCurrency> = Map<string, Of & Amounts>;

async function reprice(
  { pool }: Operator,
  { tariff, period }: { readonly tariff: Tariff; readonly period: string },
): Promise<Answer> {
  const byAccount: Sums<InCurrency & { readonly account_id: AccountId }> = new Map();
  const byCurrency: Sums<InCurrency> = new Map();
  for (const { account_id, currency, kind, item, amount_cents, lines } of await paidInMonth(pool, period)) {
    const amountCents = Number(amount_cents);
    const amounts = {
      billed_cents: lines * amountCents,
      repriced_cents: lines * priceUnder({ kind, item, amountCents }, tariff),
    };
    add(byAccount, { account_id, currency }, amounts);
    add(byCurrency, { currency }, amounts);
  }
  const accounts = [...byAccount.values()].map(withDifference);
  const totals = [...byCurrency.values()].map(withDifference);
  const rows = [...accounts, ...totals.map((total) => ({ account_id: `all of ${period}`, ...total }))];
  const { lines } = listAnswer(rows, `Nothing was paid in ${period}.`, {
    ...{ account: 'account_id', currency: 'currency', paid: 'billed_cents' },
    ...{ 'by the tariff': 'repriced_cents', difference: 'difference_cents' },
  });
  return { value: { period, totals, accounts }, lines };
}

function add<Of extends InCurrency>(sums: Sums<Of>, of: Of, amounts: Amounts): void {
  const key = JSON.stringify(of);
  const { billed_cents, repriced_cents } = sums.get(key) ?? { billed_cents: 0, repriced_cents: 0 };
  sums.set(key, {
    ...of,
    billed_cents: billed_cents + amounts.billed_cents,
    repriced_cents: repriced_cents + amounts.repriced_cents,
  });
}

const withDifference = <Of extends Amounts>(of: Of) => ({
  ...of,
  difference_cents: of.repriced_cents - of.billed_cents,
});

function month(text: string): string {
  if (new RegExp(textForms.month.pattern).test(text)) return text;
  throw new InvalidArgumentError('Expected YYYY-MM, such as 2026-11.');
}

const Prices = Type.Record(Type.String(), Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }));
const TariffFile = Type.Object(
  { cards: Type.Optional(Prices), crypto: Type.Optional(Prices) },
  { additionalProperties: false },
);

function tariffIn(path: string): Tariff {
  try {
    const tariff: unknown = JSON.parse(readFileSync(path, 'utf8'));
    // Keys of `cards` must be tiers of the contract. Keys of products are arbitrary.
    if (Check(TariffFile, tariff) && Object.keys(tariff.cards ?? {}).every(isTier))
      return { cards: {}, crypto: {}, ...tariff };
  } catch (error) {
    throw new InvalidArgumentError(
      `The tariff cannot be read: ${error instanceof Error ? error.message : path}`,
    );
  }
  throw new InvalidArgumentError(
    'Expected prices in whole cents: {"cards":{"personal":1000},"crypto":{"api_builder_month":5000}}.',
  );
}
