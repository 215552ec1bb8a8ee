import { expect } from 'chai';
import type { DeviceGrantEvent } from '../contracts/events/device-grant.ts';
import type { OAuthError } from '../contracts/oauth.ts';
import { deviceGrant, type DeviceGrantCommand } from './device-grant.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';

const accountId = 'acc_00000000-0000-4000-8000-000000000001';
const another = 'acc_00000000-0000-4000-8000-000000000002';
const at = '2026-01-01T00:00:00.000Z';
const after = (seconds: number) => new Date(Date.parse(at) + seconds * 1000).toISOString();
const scopes: ['read:sessions'] = ['read:sessions'];
const facts = { clientId: 'service-desktop', scopes } as const;
const [deviceCode, expiresAt] = ['hash', after(600)];

const event = eventBuilders<DeviceGrantEvent>({
  DeviceGrantRequested: { ...facts, scopes, deviceCode, intervalSeconds: 5, expiresAt, at },
  DeviceGrantPolled: { at },
  DeviceGrantSlowed: { intervalSeconds: 10, at },
  DeviceGrantAuthorized: { ...facts, scopes, accountId, epoch: 3, at },
  DeviceGrantDenied: { ...facts, scopes, accountId, at },
  DeviceGrantRedeemed: { accountId, at },
});
const command = commandBuilders<DeviceGrantCommand>({
  RequestGrant: { ...facts, scopes, deviceCode, intervalSeconds: 5, expiresAt, at },
  PollGrant: { deviceCodes: ['by another pepper', deviceCode], clientId: 'service-desktop', at },
  RedeemGrant: { at },
  AnswerGrant: { accountId, approve: true, epoch: 3, at },
});
const { given } = deciderSpec(deviceGrant);
const requested = event.DeviceGrantRequested();
const authorized = event.DeviceGrantAuthorized();
const denied = event.DeviceGrantDenied();

/** A poll refused with an OAuth error. */
const refusedPoll = (
  history: readonly DeviceGrantEvent[],
  error: OAuthError,
  poll: Parameters<typeof command.PollGrant>[0] = {},
) =>
  given(...history)
    .when(command.PollGrant(poll))
    .refused('bad-request', { error });

describe('a poll of a device', () => {
  it('is recorded while the owner has not answered', () => {
    given(requested).when(command.PollGrant()).then(event.DeviceGrantPolled());
    given(requested, event.DeviceGrantPolled())
      .when(command.PollGrant({ at: after(5) }))
      .then(event.DeviceGrantPolled({ at: after(5) }));
  });

  it('that comes too soon adds five seconds to the interval, which holds from then on', () => {
    const polled = event.DeviceGrantPolled();
    const slowed = event.DeviceGrantSlowed({ at: after(4) });
    given(requested, polled)
      .when(command.PollGrant({ at: after(4) }))
      .then(slowed);
    given(requested, polled, slowed)
      .when(command.PollGrant({ at: after(13) }))
      .then(event.DeviceGrantSlowed({ intervalSeconds: 15, at: after(13) }));
    given(requested, polled, slowed)
      .when(command.PollGrant({ at: after(14) }))
      .then(event.DeviceGrantPolled({ at: after(14) }));
  });

  it('makes no more events once the interval is a minute', () => {
    refusedPoll([requested, event.DeviceGrantSlowed({ intervalSeconds: 60 })], 'slow_down', {
      at: after(30),
    });
  });

  it('is never too soon after the clock was set back', () => {
    given(requested, event.DeviceGrantPolled({ at: after(300) }))
      .when(command.PollGrant({ at: after(1) }))
      .then(event.DeviceGrantPolled({ at: after(1) }));
  });

  it('is never too soon once the owner has approved, and the grant is redeemed once', () => {
    given(requested, event.DeviceGrantPolled(), authorized).when(command.PollGrant()).nothing();
    given(requested, authorized).when(command.RedeemGrant()).then(event.DeviceGrantRedeemed());
    for (const history of [[requested], [requested, authorized, event.DeviceGrantRedeemed()]]) {
      given(...history)
        .when(command.RedeemGrant())
        .refused('bad-request', { error: 'invalid_grant' });
    }
    refusedPoll([requested, authorized, event.DeviceGrantRedeemed()], 'invalid_grant');
  });

  it('gets an error when the owner refused, the code has expired, or the code is unknown', () => {
    refusedPoll([requested, denied], 'access_denied');
    refusedPoll([requested], 'expired_token', { at: expiresAt });
    refusedPoll([requested, authorized], 'expired_token', { at: expiresAt });
    refusedPoll([], 'invalid_grant');
    refusedPoll([requested, authorized], 'invalid_grant', { deviceCodes: ['another'] });
    refusedPoll([requested, authorized], 'invalid_grant', { clientId: 'another' });
  });
});

describe('the owner’s answer to a device', () => {
  it('is an approval or a refusal', () => {
    given(requested).when(command.AnswerGrant()).then(authorized);
    given(requested)
      .when(command.AnswerGrant({ approve: false }))
      .then(denied);
  });

  it('has no effect when it is repeated, even once the device has its session', () => {
    given(requested, authorized).when(command.AnswerGrant()).nothing();
    given(requested, authorized, event.DeviceGrantRedeemed()).when(command.AnswerGrant()).nothing();
    given(requested, denied)
      .when(command.AnswerGrant({ approve: false }))
      .nothing();
  });

  it('is final, also for other accounts', () => {
    given(requested, denied).when(command.AnswerGrant()).refused('not-found');
    given(requested, authorized)
      .when(command.AnswerGrant({ approve: false }))
      .refused('not-found');
    given(requested, authorized)
      .when(command.AnswerGrant({ accountId: another }))
      .refused('not-found');
  });

  it('comes too late once the code has expired', () => {
    given(requested)
      .when(command.AnswerGrant({ at: expiresAt }))
      .refused('not-found');
    given().when(command.AnswerGrant()).refused('not-found');
  });
});

describe('a user code', () => {
  it('is issued once', () => {
    given().when(command.RequestGrant()).then(requested);
    given(requested).when(command.RequestGrant()).refused('conflict');
  });

  it('identifies a grant that stays redeemed, whatever follows', () => {
    const history = [requested, authorized, event.DeviceGrantRedeemed(), denied, requested];
    const state = history.reduce(deviceGrant.evolve, deviceGrant.initialState);
    expect(state.status).to.equal('redeemed');
  });
});
