import { expect } from 'chai';
import type { WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import { toId } from '../../contracts/ids.ts';
import { deciderSpec } from '../testing/index.ts';
import { commands, events, fresh, graceEndsAt, on, rotatedAt } from './testing.ts';
import { signingSecrets, type WebhookEndpoint } from './state.ts';
import { webhookEndpoint } from './webhook-endpoint.ts';

const { given } = deciderSpec(webhookEndpoint);
const registered = events.WebhookRegistered();
const rotated = events.WebhookSecretRotated();
const disabled = events.WebhookDisabled();
const deleted = events.WebhookDeleted();
const third = { ...fresh, secretId: 'third' };

describe('a webhook endpoint', () => {
  it('that is withdrawn before its registration is never registered', () => {
    given().when(commands.WithdrawWebhook()).then(events.WebhookWithdrawn());
    given(events.WebhookWithdrawn()).when(commands.WithdrawWebhook()).nothing();
    given(events.WebhookWithdrawn()).when(commands.RegisterWebhook()).refused('conflict');
    given(events.WebhookRegistered()).when(commands.WithdrawWebhook()).nothing();
  });

  it('is registered once; the same one again makes no event', () => {
    given().when(commands.RegisterWebhook()).then(registered);
    given(registered).when(commands.RegisterWebhook()).nothing();
    given(registered, deleted).when(commands.RegisterWebhook()).nothing();
  });

  it('is unknown before it is registered, and again once it is deleted', () => {
    const all = [
      commands.ChangeWebhook(),
      commands.RotateSecret(),
      commands.RequestTest(),
      commands.DeleteWebhook(),
    ];
    for (const command of all) given().when(command).refused('not-found');
    for (const command of all.slice(0, -1)) given(registered, deleted).when(command).refused('not-found');
  });

  it('is deleted once, disabled or not', () => {
    given(registered).when(commands.DeleteWebhook()).then(deleted);
    given(registered, disabled).when(commands.DeleteWebhook()).then(deleted);
    given(registered, deleted).when(commands.DeleteWebhook()).nothing();
  });
});

describe('a change of an endpoint', () => {
  it('replaces its events in place, and leaves the description', () => {
    given(events.WebhookRegistered({ description: 'production' }))
      .when(commands.ChangeWebhook())
      .then(events.WebhookChanged({ description: 'production' }));
  });

  it('may replace or take away the description alone', () => {
    const { events: subscribed } = registered.data;
    given(registered)
      .when(commands.ChangeWebhook({ events: undefined, description: 'staging' }))
      .then(events.WebhookChanged({ events: subscribed, description: 'staging' }));
    given(registered, events.WebhookChanged({ events: subscribed, description: 'staging' }))
      .when(commands.ChangeWebhook({ events: undefined, description: null }))
      .then(events.WebhookChanged({ events: subscribed, description: null }));
  });

  it('to its present state makes no event', () => {
    given(registered)
      .when(commands.ChangeWebhook({ events: undefined }))
      .nothing();
    given(registered)
      .when(commands.ChangeWebhook({ events: registered.data.events, description: null }))
      .nothing();
  });

  it('is allowed while it is disabled, and leaves it so', () => {
    given(registered, disabled)
      .when(commands.ChangeWebhook())
      .leaves((state) => expect(statusOf(state)).to.equal('disabled'));
  });
});

describe('the rotation of a signing secret', () => {
  it('opens a window of dual signing, the newest secret first', () => {
    given(registered).when(commands.RotateSecret()).then(rotated);
    expect(signers(rotatedAt, registered, rotated)).to.deep.equal(['second', 'first']);
  });

  it('is refused for one that is disabled: its timers would never end', () => {
    given(registered, disabled).when(commands.RotateSecret()).refused('conflict');
  });

  it('lets the old secret sign until the last millisecond of its grace period', () => {
    expect(signers(on(11, '23:59:59.999'), registered, rotated)).to.deep.equal(['second', 'first']);
    expect(signers(on(12, '00:00:00.000'), registered, rotated)).to.deep.equal(['second']);
  });

  it('is refused a second time within the window, and allowed from its end on', () => {
    const again = { secret: third, graceEndsAt: on(13), graceNoticeAt: on(12, '12:00:00.000') };
    given(registered, rotated)
      .when(commands.RotateSecret({ ...again, at: on(11, '23:59:59.999') }))
      .refused('conflict');
    given(registered, rotated)
      .when(commands.RotateSecret({ ...again, at: graceEndsAt }))
      .then(events.WebhookSecretRotated({ ...again, at: graceEndsAt }));
  });

  it('to the same secret again makes no event', () => {
    given(registered, rotated).when(commands.RotateSecret()).nothing();
  });

  it('leaves an endpoint that never rotated with one secret', () => {
    expect(signers(on(1), registered)).to.deep.equal(['first']);
  });
});

describe('a test of an endpoint', () => {
  it('is requested once, by any caller', () => {
    const triggeredBy = toId('account', '0197f1a0-0000-7000-8000-000000000009');
    given(registered)
      .when(commands.RequestTest({ triggeredBy }))
      .then(events.WebhookTestRequested({ triggeredBy }));
    given(registered, events.WebhookTestRequested()).when(commands.RequestTest()).nothing();
    given(registered, events.WebhookTestRequested())
      .when(commands.RequestTest({ testId: 'another' }))
      .then(events.WebhookTestRequested({ testId: 'another' }));
  });

  it('is refused for one that is disabled', () => {
    given(registered, disabled).when(commands.RequestTest()).refused('conflict');
  });
});

describe('the reminder of a secret’s age', () => {
  it('comes once, and not before its time', () => {
    given(registered)
      .when(commands.MarkSecretAged({ at: '2026-03-01T23:59:59.999Z' }))
      .nothing();
    given(registered).when(commands.MarkSecretAged()).then(events.WebhookSecretAged());
    given(registered, events.WebhookSecretAged()).when(commands.MarkSecretAged()).nothing();
  });

  it('starts again with a rotation', () => {
    given(registered, rotated).when(commands.MarkSecretAged()).nothing();
    given(registered, events.WebhookSecretAged(), rotated)
      .when(commands.MarkSecretAged({ at: fresh.remindAt }))
      .then(events.WebhookSecretAged({ secretId: 'second', at: fresh.remindAt }));
  });

  it('is not made for missing, disabled or deleted endpoints', () => {
    given().when(commands.MarkSecretAged()).nothing();
    given(registered, disabled).when(commands.MarkSecretAged()).nothing();
    given(registered, deleted).when(commands.MarkSecretAged()).nothing();
  });
});

describe('the notice that a grace ends', () => {
  it('comes once, and not before its time', () => {
    given(registered, rotated)
      .when(commands.MarkGraceEnding({ at: on(11, '11:59:59.999') }))
      .nothing();
    given(registered, rotated).when(commands.MarkGraceEnding()).then(events.WebhookGraceEnding());
    given(registered, rotated, events.WebhookGraceEnding()).when(commands.MarkGraceEnding()).nothing();
  });

  it('is recorded even if it is too late to be of use, and not without a rotation', () => {
    given(registered, rotated)
      .when(commands.MarkGraceEnding({ at: graceEndsAt }))
      .then(events.WebhookGraceEnding({ at: graceEndsAt }));
    given(registered).when(commands.MarkGraceEnding()).nothing();
    given(registered, rotated, disabled).when(commands.MarkGraceEnding()).nothing();
  });

  it('comes again for the next rotation', () => {
    const next = events.WebhookSecretRotated({
      secret: third,
      graceEndsAt: on(21),
      graceNoticeAt: on(20, '12:00:00.000'),
      at: on(20),
    });
    given(registered, rotated, events.WebhookGraceEnding(), next)
      .when(commands.MarkGraceEnding({ at: on(20, '12:00:00.000') }))
      .then(
        events.WebhookGraceEnding({
          secretId: 'second',
          graceEndsAt: on(21),
          at: on(20, '12:00:00.000'),
        }),
      );
  });
});

const statusOf = ({ status }: WebhookEndpoint): string => status;

/** Ids of the secrets that sign at that time. */
function signers(at: string, ...history: readonly WebhookEndpointEvent[]): string[] {
  const state = history.reduce(webhookEndpoint.evolve, webhookEndpoint.initialState);
  if (state.status === 'none') throw new Error('There is no endpoint.');
  return signingSecrets(state, new Date(at)).map(({ secretId }) => secretId);
}
