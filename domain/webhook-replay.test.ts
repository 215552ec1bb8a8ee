import { expect } from 'chai';
import type { WebhookReplayEvent } from '../contracts/events/webhook-replay.ts';
import { toId } from '../contracts/ids.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';
import { webhookReplay, type WebhookReplayCommand } from './webhook-replay.ts';

const uuid = '0197f1a0-0000-7000-8000-000000000001';
const at = '2026-01-05T12:00:00.000Z';
const replayId = toId('webhookReplay', uuid);
const next = { replayId: toId('webhookReplay', '0197f1a0-0000-7000-8000-000000000002') };
const of = { replayId, webhookId: toId('webhook', uuid) };
const range = {
  ...of,
  accountId: toId('account', uuid),
  since: '2026-01-01T00:00:00.000Z',
  until: at,
  types: null,
  at,
};

const events = eventBuilders<WebhookReplayEvent>({
  ReplayRequested: range,
  ReplayAdvanced: { ...of, upTo: '500/500', scheduled: 100, at },
  ReplayCompleted: { ...of, scheduled: 100, at },
  ReplayAbandoned: { ...of, scheduled: 100, reason: 'webhook_deleted', at },
});
const commands = commandBuilders<WebhookReplayCommand>({
  RequestReplay: range,
  AdvanceReplay: { replayId, from: null, upTo: '500/500', scheduled: 100, at },
  AbandonReplay: { replayId, reason: 'webhook_deleted', at },
  CancelReplay: { replayId, at },
});
const { given } = deciderSpec(webhookReplay);
const requested = events.ReplayRequested();
const advanced = events.ReplayAdvanced();
const completed = [requested, advanced, events.ReplayCompleted()] as const;
const cancelled = [requested, advanced, events.ReplayAbandoned({ reason: 'cancelled' })] as const;

describe('the replay of a range', () => {
  it('is requested once, of all types or of some', () => {
    given().when(commands.RequestReplay()).then(requested);
    given(requested).when(commands.RequestReplay()).nothing();
    given()
      .when(commands.RequestReplay({ types: ['session.failed'] }))
      .then(events.ReplayRequested({ types: ['session.failed'] }));
  });

  it('proceeds step by step, and sums the scheduled deliveries', () => {
    given(requested).when(commands.AdvanceReplay()).then(advanced);
    given(requested, advanced)
      .when(commands.AdvanceReplay({ from: '500/500', upTo: '900/900', scheduled: 7 }))
      .then(events.ReplayAdvanced({ upTo: '900/900', scheduled: 107 }));
  });

  it('does not repeat a step, whether it ends at the same position or at another', () => {
    given(requested, advanced).when(commands.AdvanceReplay()).nothing();
    given(requested, advanced)
      .when(commands.AdvanceReplay({ upTo: '600/600' }))
      .nothing();
    given(requested, advanced)
      .when(commands.AdvanceReplay({ upTo: null }))
      .nothing();
  });

  it('ignores a step that ends where it begins', () => {
    given(requested, advanced)
      .when(commands.AdvanceReplay({ from: '500/500' }))
      .nothing();
  });

  it('is complete when nothing is left', () => {
    given(requested, advanced)
      .when(commands.AdvanceReplay({ from: '500/500', upTo: null, scheduled: 0 }))
      .then(events.ReplayCompleted());
    given(requested)
      .when(commands.AdvanceReplay({ upTo: null, scheduled: 0 }))
      .then(events.ReplayCompleted({ scheduled: 0 }));
  });

  it('is abandoned when its endpoint is gone, with the deliveries scheduled until then', () => {
    given(requested, advanced).when(commands.AbandonReplay()).then(events.ReplayAbandoned());
    given(requested, advanced, events.ReplayAbandoned())
      .when(commands.AdvanceReplay({ from: '500/500' }))
      .nothing();
  });

  it('ends once', () => {
    given(...completed)
      .when(commands.AbandonReplay())
      .nothing();
    given(...completed)
      .when(commands.AdvanceReplay({ from: '500/500', upTo: '900/900' }))
      .nothing();
    given().when(commands.AbandonReplay()).nothing();
    given().when(commands.AdvanceReplay()).nothing();
  });

  it('resumes at its position, however it got there', () => {
    given(requested, advanced, events.ReplayAdvanced({ upTo: '900/900', scheduled: 150 }))
      .when(commands.AdvanceReplay())
      .leaves((state) =>
        expect(state).to.include({ status: 'running', upTo: '900/900', scheduled: 150, steps: 2 }),
      );
  });
});

describe('a second replay to an endpoint', () => {
  it('is refused while the first runs, and the refusal names that one', () => {
    for (const history of [[requested], [requested, advanced]])
      given(...history)
        .when(commands.RequestReplay(next))
        .refused('conflict', { active_replay_id: replayId });
  });

  it('starts once the first has ended for any reason, from its own beginning', () => {
    for (const history of [completed, cancelled]) {
      const second = given(...history).when(commands.RequestReplay(next));
      second.then(events.ReplayRequested(next));
      second.leaves((state) =>
        expect(state).to.include({ ...next, status: 'running', upTo: null, scheduled: 0, steps: 0 }),
      );
    }
  });

  it('is not advanced, ended or restarted by late commands of the first', () => {
    const second = [...completed, events.ReplayRequested(next)];
    for (const late of [
      commands.RequestReplay(),
      commands.AdvanceReplay(),
      commands.AdvanceReplay({ upTo: null }),
      commands.AbandonReplay(),
    ])
      given(...second)
        .when(late)
        .nothing();
  });
});

describe('cancelling a replay', () => {
  it('ends it with the deliveries scheduled until then; repeated, it makes no event', () => {
    given(requested, advanced)
      .when(commands.CancelReplay())
      .then(events.ReplayAbandoned({ reason: 'cancelled' }));
    given(...cancelled)
      .when(commands.CancelReplay())
      .nothing();
    given(requested, advanced, events.ReplayAbandoned()).when(commands.CancelReplay()).nothing();
  });

  it('is refused for one that has ended, even if another one has started', () => {
    given(...completed)
      .when(commands.CancelReplay())
      .refused('conflict');
    for (const history of [completed, cancelled])
      given(...history, events.ReplayRequested(next))
        .when(commands.CancelReplay())
        .refused('conflict');
  });

  it('is refused for one that the endpoint never had', () => {
    given().when(commands.CancelReplay()).refused('not-found');
    given(requested).when(commands.CancelReplay(next)).refused('not-found');
  });
});
