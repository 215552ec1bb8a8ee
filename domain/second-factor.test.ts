import { expect } from 'chai';
import type { SecondFactorEvent } from '../contracts/events/second-factor.ts';
import { Refusal } from '../contracts/problems.ts';
import {
  secondFactor,
  secondFactorMails,
  type SecondFactor,
  type SecondFactorCommand,
} from './second-factor.ts';
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
      .then(event.SecondFactorCodeRefused({ count: 1 }));
    given(...enrolled)
      .when(command.UseCode({ code: right }))
      .then(event.SecondFactorCodeRefused({ count: 1 }));
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
      .then(event.SecondFactorCodeRefused({ count: 1 }));
  });

  it('may be a recovery code, each of which works once', () => {
    const code = { ...wrong, recoveryCodes: ['unknown', 'first'] };
    given(...enrolled)
      .when(command.UseCode({ code }))
      .then(event.RecoveryCodeUsed());
    given(...enrolled, event.RecoveryCodeUsed())
      .when(command.UseCode({ code }))
      .then(event.SecondFactorCodeRefused({ count: 1 }));
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

describe('consecutive wrong codes of a second factor', () => {
  const code = { ...right, step: step + 1 };
  /** As many wrong codes, the last of them at the given time. */
  const wrongCodes = (count: number, seconds = 0) =>
    Array.from({ length: count }, (_, index) =>
      event.SecondFactorCodeRefused({
        count: index + 1,
        at: after(index < count - 1 ? seconds - 86_400 : seconds),
      }),
    );

  /** The events of a wrong code; undefined if it was not checked. */
  const checked = (state: SecondFactor, seconds: number) => {
    try {
      return secondFactor.decide(command.UseCode({ code: wrong, at: after(seconds) }), state);
    } catch (error) {
      if (!(error instanceof Refusal) || error.slug !== 'rate-limited') throw error;
      return undefined;
    }
  };
  const fold = (state: SecondFactor, events: readonly SecondFactorEvent[]) =>
    events.reduce(secondFactor.evolve, state);

  it('make the next one wait for a minute after the tenth, twice as long after each further one, and an hour at most', () => {
    const waits = [9, 10, 11, 12, 15, 16, 17, 5000].map((count) => {
      const state = fold(secondFactor.initialState, [...enrolled, ...wrongCodes(count)]);
      return [0, 60, 120, 240, 480, 960, 1920, 3600].find((wait) => checked(state, wait) !== undefined);
    });
    expect(waits).to.deep.equal([0, 60, 120, 240, 1920, 3600, 3600, 3600]);
  });

  it('are fewer than a hundred a day, cause one mail, and leave an owner who waits an hour able to sign in', () => {
    let state = fold(secondFactor.initialState, enrolled);
    const recorded: SecondFactorEvent[] = [];
    for (let seconds = 0; seconds < 86_400; seconds += 5) {
      const events = checked(state, seconds) ?? [];
      recorded.push(...events);
      state = fold(state, events);
    }
    expect(recorded.length).to.be.within(30, 50);
    expect(recorded.flatMap(secondFactorMails)).to.deep.equal([
      { template: 'second-factor-attempts', accountId },
    ]);
    const at = new Date(Date.parse(recorded.at(-1)?.data.at ?? '') + 3_600_000).toISOString();
    const recovery = { ...wrong, recoveryCodes: ['first'] };
    for (const each of [code, recovery])
      expect(secondFactor.decide(command.UseCode({ code: each, at }), state)[0]?.type).to.match(/Used$/);
  });

  it('delay recovery codes and disabling alike, and say for how long', () => {
    const recovery = { ...wrong, recoveryCodes: ['first'] };
    const delayed = given(...enrolled, ...wrongCodes(12));
    const at = after(40);
    delayed
      .when(command.UseCode({ code: recovery, at }))
      .refused('rate-limited', { retry_after_seconds: 200 });
    delayed.when(command.Disable({ at })).refused('rate-limited', { retry_after_seconds: 200 });
  });

  it('are counted anew after a right code', () => {
    for (const right of [event.SecondFactorCodeUsed({ step: step + 2 }), event.RecoveryCodeUsed()])
      given(...enrolled, ...wrongCodes(12, -60), right)
        .when(command.UseCode({ code: wrong, at }))
        .then(event.SecondFactorCodeRefused({ count: 1 }));
  });

  it('of earlier releases are not counted', () => {
    given(...enrolled, ...refusedAt(...Array.from({ length: 20 }, (_, index) => -1000 + index)))
      .when(command.UseCode({ code: wrong }))
      .then(event.SecondFactorCodeRefused({ count: 1 }));
  });

  it('of a clock that was ahead delay the next one for no longer', () => {
    given(...enrolled, ...wrongCodes(10, 30))
      .when(command.UseCode({ at }))
      .refused('rate-limited', { retry_after_seconds: 60 });
    given(...enrolled, ...wrongCodes(10, 3600))
      .when(command.UseCode({ at }))
      .then(event.SecondFactorCodeUsed({ step: step + 1 }));
  });
});

describe('disabling a second factor', () => {
  it('requires no code from staff, and does nothing if none is enrolled', () => {
    given(...enrolled)
      .when(command.Remove())
      .then(event.SecondFactorDisabled({ by: 'staff' }));
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
      .then(event.SecondFactorCodeRefused({ count: 1 }));
    given().when(command.Disable()).refused('conflict');
  });

  it('is mailed to the owner if staff did it', () => {
    const removed = { template: 'second-factor-removed', accountId };
    expect(secondFactorMails(event.SecondFactorDisabled({ by: 'staff' }))).to.deep.equal([removed]);
    expect(secondFactorMails(event.SecondFactorDisabled())).to.deep.equal([]);
  });

  it('leaves an account that may enrol again', () => {
    given(...enrolled, event.SecondFactorDisabled())
      .when(command.BeginEnrolment())
      .leaves(({ status }) => expect(status).to.equal('pending'));
  });
});
