import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { Check } from 'typebox/value';
import type { AccountId } from '../../../contracts/ids.ts';
import { textForms } from '../../../contracts/text-forms.ts';
import { Type } from '../../../contracts/schema.ts';
import { tiers } from '../../../contracts/tiers.ts';
import { priceUnder, type Tariff } from '../../../domain/bill.ts';
import { paidInMonth } from '../../../projections/queries/bill.ts';
import type { ServiceCommand } from './command.ts';
import type { Operator } from './operator.ts';
import { headedTable, type Answer } from './output.ts';

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
  billed_cents: number;
  repriced_cents: number;
}

async function reprice(
  { pool }: Operator,
  { tariff, period }: { readonly tariff: Tariff; readonly period: string },
): Promise<Answer> {
  const byAccount = new Map<AccountId, Amounts>();
  for (const { account_id, kind, item, amount_cents, lines } of await paidInMonth(pool, period)) {
    const amountCents = Number(amount_cents);
    const amounts = byAccount.get(account_id) ?? { billed_cents: 0, repriced_cents: 0 };
    amounts.billed_cents += lines * amountCents;
    amounts.repriced_cents += lines * priceUnder({ kind, item, amountCents }, tariff);
    byAccount.set(account_id, amounts);
  }
  const accounts = [...byAccount].map(([account_id, amounts]) => ({
    account_id,
    ...withDifference(amounts),
  }));
  const sum = (of: keyof Amounts): number => accounts.reduce((total, each) => total + each[of], 0);
  const total = withDifference({ billed_cents: sum('billed_cents'), repriced_cents: sum('repriced_cents') });
  const lines = headedTable([...accounts, { account_id: `all of ${period}`, ...total }], {
    ...{ account: 'account_id', paid: 'billed_cents' },
    ...{ 'by the tariff': 'repriced_cents', difference: 'difference_cents' },
  });
  return { value: { period, ...total, accounts }, lines };
}

const withDifference = ({ billed_cents, repriced_cents }: Amounts) => ({
  billed_cents,
  repriced_cents,
  difference_cents: repriced_cents - billed_cents,
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

/** Keys of `cards` must be tiers of the contract. Keys of products are arbitrary. */
const isTier = (name: string): boolean => tiers.some((tier) => tier === name);

function tariffIn(path: string): Tariff {
  try {
    const tariff: unknown = JSON.parse(readFileSync(path, 'utf8'));
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
