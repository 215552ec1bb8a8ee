import { expect } from 'chai';
import type { SecondFactorEvent } from '../contracts/events/second-factor.ts';
import { secondFactor, type SecondFactorCommand } from './second-factor.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';

const accountId = 'acc_00000000-0000-4000-8000-000000000001';
const at = '2026-01-01T00:00:00.000Z';
const after = (seconds: number) => new Date(Date.parse(at) + seconds * 1000).toISOString();
const sealedSecret = 'sealed';
const recoveryCodes = ['first', 'second'];
const step = 100;
const right = { sealedSecret, step, recoveryCodes: [] };
const wrong = { sealedSecret, step: null, recoveryCodes: ['unknown'] };

const event = eventBuilders<SecondFactorEvent>({
  SecondFactorEnrolmentBegun: { accountId, sealedSecret, at },
  SecondFactorConfirmed: { accountId, step, recoveryCodes, at },
  SecondFactorCodeUsed: { accountId, step, use: 'sign_in', at },
  RecoveryCodeUsed: { accountId, recoveryCode: 'first', use: 'sign_in', at },
  SecondFactorCodeRefused: { accountId, at },
  SecondFactorDisabled: { accountId, at },
});
const command = commandBuilders<SecondFactorCommand>({
  BeginEnrolment: { accountId, sealedSecret, at },
  ConfirmEnrolment: { code: right, recoveryCodes, at },
  UseCode: { code: { ...right, step: step + 1 }, use: 'sign_in', at },
  Disable: { code: { ...right, step: step + 1 }, at },
  Remove: { at },
});
const { given } = deciderSpec(secondFactor);
const begun = event.SecondFactorEnrolmentBegun();
const enrolled = [begun, event.SecondFactorConfirmed()] as const;
const refusedAt = (...times: readonly number[]) =>
  times.map((seconds) => event.SecondFactorCodeRefused({ at: after(seconds) }));

describe('enrolling a second factor', () => {
  it('begins with a secret, and begins again with another one until a code was seen', () => {
    given().when(command.BeginEnrolment()).then(begun);
    const again = { sealedSecret: 'another' };
    given(begun).when(command.BeginEnrolment(again)).then(event.SecondFactorEnrolmentBegun(again));
    given(...enrolled)
      .when(command.BeginEnrolment())
      .refused('conflict');
  });

  it('ends with a code of the secret that was shown last', () => {
    given(begun).when(command.ConfirmEnrolment()).then(event.SecondFactorConfirmed());
    given(begun)
      .when(command.ConfirmEnrolment({ code: wrong }))
      .then(event.SecondFactorCodeRefused());
    given(begun, event.SecondFactorEnrolmentBegun({ sealedSecret: 'another' }))
      .when(command.ConfirmEnrolment())
      .then(event.SecondFactorCodeRefused());
  });

  it('is not confirmed before it was begun, nor twice', () => {
    given().when(command.ConfirmEnrolment()).refused('conflict');
    given(...enrolled)
      .when(command.ConfirmEnrolment())
      .refused('conflict');
  });

  it('counts wrong codes across all secrets that are shown', () => {
    given(begun, ...refusedAt(0, 0, 0, 0, 0), event.SecondFactorEnrolmentBegun())
      .when(command.ConfirmEnrolment())
      .refused('rate-limited');
  });
});

describe('a code of a second factor', () => {
  it('works once, and the one it was confirmed with has been used', () => {
    const next = event.SecondFactorCodeUsed({ step: step + 1 });
    given(...enrolled)
      .when(command.UseCode())
      .then(next);
    given(...enrolled, next)
      .when(command.UseCode())
      .then(event.SecondFactorCodeRefused());
    given(...enrolled)
      .when(command.UseCode({ code: right }))
      .then(event.SecondFactorCodeRefused());
  });

  it('works after one of a later step was used, as when a clock is set back', () => {
    const earlier = { ...right, step: step - 1000 };
    given(...enrolled)
      .when(command.UseCode({ code: earlier }))
      .then(event.SecondFactorCodeUsed({ step: step - 1000 }));
  });

  it('of a secret that was replaced is a wrong one', () => {
    given(...enrolled)
      .when(command.UseCode({ code: { ...right, step: step + 1, sealedSecret: 'before' } }))
      .then(event.SecondFactorCodeRefused());
  });

  it('may be a recovery code, each of which works once', () => {
    const code = { ...wrong, recoveryCodes: ['unknown', 'first'] };
    given(...enrolled)
      .when(command.UseCode({ code }))
      .then(event.RecoveryCodeUsed());
    given(...enrolled, event.RecoveryCodeUsed())
      .when(command.UseCode({ code }))
      .then(event.SecondFactorCodeRefused());
    given(...enrolled, event.RecoveryCodeUsed())
      .when(command.UseCode({ code: { ...wrong, recoveryCodes: ['second'] } }))
      .then(event.RecoveryCodeUsed({ recoveryCode: 'second' }));
  });

  it('is refused if there is no second factor', () => {
    given().when(command.UseCode()).refused('conflict');
    given(begun).when(command.UseCode()).refused('conflict');
  });
});

describe('wrong codes of a second factor', () => {
  const tries = (at: string) => command.UseCode({ at });

  it('are limited to five a minute; then no code is checked, and the refusal says how long to wait', () => {
    given(...enrolled, ...refusedAt(0, 10, 20, 30))
      .when(tries(after(40)))
      .then(event.SecondFactorCodeUsed({ step: step + 1, at: after(40) }));
    given(...enrolled, ...refusedAt(0, 10, 20, 30, 40))
      .when(tries(after(45)))
      .refused('rate-limited', { retry_after_seconds: 15 });
  });

  it('are forgotten a minute after each', () => {
    given(...enrolled, ...refusedAt(0, 10, 20, 30, 40))
      .when(tries(after(60)))
      .then(event.SecondFactorCodeUsed({ step: step + 1, at: after(60) }));
  });

  it('of a clock that was ahead lock the account for a minute at most', () => {
    given(...enrolled, ...refusedAt(3600, 3600, 3600, 3600, 3600))
      .when(tries(after(0)))
      .then(event.SecondFactorCodeUsed({ step: step + 1 }));
    given(...enrolled, ...refusedAt(30, 30, 30, 30, 30))
      .when(tries(after(0)))
      .refused('rate-limited', { retry_after_seconds: 60 });
  });
});

describe('disabling a second factor', () => {
  it('requires no code from staff, and does nothing if none is enrolled', () => {
    given(...enrolled)
      .when(command.Remove())
      .then(event.SecondFactorDisabled());
    given(begun).when(command.Remove()).then();
    given().when(command.Remove()).then();
  });

  it('requires a code, or a recovery code', () => {
    given(...enrolled)
      .when(command.Disable())
      .then(event.SecondFactorDisabled());
    given(...enrolled)
      .when(command.Disable({ code: { ...wrong, recoveryCodes: ['unknown', 'first'] } }))
      .then(event.SecondFactorDisabled());
    given(...enrolled)
      .when(command.Disable({ code: right }))
      .then(event.SecondFactorCodeRefused());
    given().when(command.Disable()).refused('conflict');
  });

  it('leaves an account that may enrol again', () => {
    given(...enrolled, event.SecondFactorDisabled())
      .when(command.BeginEnrolment())
      .leaves(({ status }) => expect(status).to.equal('pending'));
  });
});
