import { Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';
import { textForms } from '../text-forms.ts';

export const billKinds = ['card', 'crypto'] as const;
export type BillKind = (typeof billKinds)[number];

export const BillLine = closed({
  amount_cents: Type.Integer({ minimum: 1, description: 'In the smallest unit of the currency.' }),
  currency: Type.String(),
  kind: oneOf(billKinds),
  item: nullable(Type.String({ description: 'The tier subscribed to, or the product ordered.' })),
  reference: Type.String({ description: 'The id of the invoice or of the order.' }),
  paid_at: Timestamp,
  event_ids: Type.Array(Type.String({ format: 'uuid' }), {
    minItems: 1,
    description: 'The events behind the amount; the event that states it comes last.',
  }),
});

export const Bill = closed({
  period: Type.String(),
  total_cents: Type.Integer({
    minimum: 0,
    description:
      'The sum of the lines, whatever their currencies: an amount of money only if they have the same.',
  }),
  totals: Type.Array(closed({ currency: Type.String(), amount_cents: Type.Integer({ minimum: 1 }) }), {
    description: 'The sum of the lines of each currency.',
  }),
  lines: Type.Array(BillLine, { description: 'Payments of the month, oldest first.' }),
});
export type Bill = Static<typeof Bill>;

export const BillQuery = {
  period: Type.String({
    pattern: textForms.month.pattern,
    description: 'A calendar month in UTC: `YYYY-MM`.',
  }),
};
