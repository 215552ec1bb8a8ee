import { Type, Timestamp, closed, oneOf } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { category, entryOn, type EventOf } from './catalogue.ts';

const of = { accountId: idSchema('account'), at: Timestamp };
const entry = entryOn('account');

/** Uses of a code. */
export const factorUses = ['sign_in', 'step_up'] as const;
export type FactorUse = (typeof factorUses)[number];

/** Index of a 30-second interval since the Unix epoch (RFC 6238): the time step of a one-time code. */
const step = Type.Integer({ minimum: 0 });
/** HMAC of a recovery code under the deployment's pepper, hex. */
const recoveryCode = Type.String();

/** `second_factor-<account uuid>`: the account's authenticator app. Contains no codes, and the secret only sealed. */
export const secondFactorEvents = category(
  'second_factor',
  {
    /** Replaces an earlier enrolment that was never confirmed. */
    SecondFactorEnrolmentBegun: closed({
      ...of,
      /** Sealed with the account's data key, for this field only. */
      sealedSecret: Type.String(),
    }),
    SecondFactorConfirmed: closed({ ...of, step, recoveryCodes: Type.Array(recoveryCode) }),
    SecondFactorCodeUsed: closed({ ...of, step, use: oneOf(factorUses) }),
    RecoveryCodeUsed: closed({ ...of, recoveryCode, use: oneOf(factorUses) }),
    /** A wrong or already used code. */
    SecondFactorCodeRefused: closed({
      ...of,
      /**
       * The number of wrong codes since the last right one. Absent before the enrolment is confirmed, and in events of earlier
       * releases, which do not count.
       */
      count: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
    SecondFactorDisabled: closed({
      ...of,
      /** Absent: its owner, by a code; in events of earlier releases, either. */
      by: Type.Optional(Type.Literal('staff')),
    }),
  },
  {
    audit: {
      SecondFactorConfirmed: ({ accountId }) => entry('auth.mfa_enrolled', accountId),
      RecoveryCodeUsed: ({ accountId, use }) => entry('auth.recovery_code_used', accountId, { use }),
      SecondFactorCodeRefused: ({ accountId }) => entry('auth.mfa_refused', accountId),
      SecondFactorDisabled: ({ accountId }) => entry('auth.mfa_disabled', accountId),
    },
  },
);
export type SecondFactorEvent = EventOf<typeof secondFactorEvents>;
