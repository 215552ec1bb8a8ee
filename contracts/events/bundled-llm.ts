import { Type, Timestamp, closed, nullable } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { category, entryOn, type EventOf } from './catalogue.ts';

const of = { accountId: idSchema('account'), at: Timestamp };
const entry = entryOn('account');
const Cents = Type.Integer({ minimum: 0 });

/** `bundled_llm-<account uuid>`: whether an account uses the model that comes with the service, and for how much a month. */
export const bundledLlmEvents = category(
  'bundled_llm',
  {
    BundledLlmChanged: closed({
      ...of,
      consent: Type.Boolean(),
      /** What the account itself lowered its monthly cap to; null when it has not. */
      capCents: nullable(Cents),
    }),
    /** Staff set the most that the account may set its cap to; null: the deployment's default. */
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
  /** Of the month, with this event. */
  totalCents: Cents,
};

/** `bundled_spend-<uuid of account and month>`: what an account's turns on the bundled model cost in one calendar month. */
export const bundledSpendEvents = category('bundled_spend', {
  /** Before the model is asked, so that turns at the same time cannot pass the cap together. */
  BundledLlmSpent: closed(ofTurn),
  /** The provider reported no use: the turn costs nothing. */
  BundledLlmReturned: closed(ofTurn),
});
export type BundledSpendEvent = EventOf<typeof bundledSpendEvents>;
