import { Type, Timestamp, closed, nullable } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { category, entryOn, type EventOf } from './catalogue.ts';

const of = { accountId: idSchema('account'), at: Timestamp };
const entry = entryOn('account');
const Cents = Type.Integer({ minimum: 0 });

/** `bundled_llm-<account uuid>`: an account's consent to the bundled model, and its monthly cap. */
export const bundledLlmEvents = category(
  'bundled_llm',
  {
    BundledLlmChanged: closed({
      ...of,
      consent: Type.Boolean(),
      /** The account's own cap; null: none set. */
      capCents: nullable(Cents),
    }),
    /** Staff set the maximum of the account's cap; null: the deployment's default. */
    BundledLlmCeilingSet: closed({ ...of, ceilingCents: nullable(Cents) }),
  },
  {
    audit: {
      BundledLlmChanged: ({ accountId: id, consent, capCents }) =>
        entry('bundled_llm.updated', id, { consent, cap_cents: capCents }),
      BundledLlmCeilingSet: ({ accountId: id, ceilingCents }) =>
        entry('bundled_llm.cap_overridden', id, { cap_cents: ceilingCents }),
    },
  },
);
export type BundledLlmEvent = EventOf<typeof bundledLlmEvents>;

const ofTurn = {
  ...of,
  /** `YYYY-MM`, in UTC. */
  month: Type.String({ pattern: '^\\d{4}-\\d\\d$' }),
  turnId: Type.String(),
  cents: Cents,
  /** The month's total after this event. */
  totalCents: Cents,
};

/** `bundled_spend-<uuid of account and month>`: the cost of an account's turns on the bundled model in one calendar month. */
export const bundledSpendEvents = category('bundled_spend', {
  /** Appended before the model is called, so that concurrent turns cannot exceed the cap together. */
  BundledLlmSpent: closed(ofTurn),
  /** The provider reported no use: the turn is free. */
  BundledLlmReturned: closed(ofTurn),
});
export type BundledSpendEvent = EventOf<typeof bundledSpendEvents>;
