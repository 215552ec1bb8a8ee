import type { WebhookReplayEvent } from '../../contracts/events/webhook-replay.ts';
import { projectionSpec } from '../../domain/testing/index.ts';
import { recorded } from '../testing/index.ts';
import { of, replayEvents, replayStream } from '../testing/webhooks.ts';
import { webhookReplays } from './webhook-replay.ts';

const spec = projectionSpec(webhookReplays);
const given = (...events: readonly WebhookReplayEvent[]) =>
  spec.given(...events.map((event) => recorded(replayStream(of.webhookId), event)));

const [requested, advanced] = [replayEvents.ReplayRequested(), replayEvents.ReplayAdvanced()];
const running = {
  id: of.replayId,
  account_id: of.accountId,
  endpoint_id: of.webhookId,
  status: 'running' as const,
  since: requested.data.since,
  until: requested.data.until,
  types: null,
  scheduled: 0,
  created_at: of.at,
  completed_at: null,
};

describe('the row of a replay', () => {
  it('has the requested fields', () => {
    given(requested).then(running);
    const types = ['session.failed' as const];
    given(replayEvents.ReplayRequested({ types })).then({ ...running, types });
  });

  it('shows its progress', () => given(requested, advanced).then({ ...running, scheduled: 100 }));

  it('is completed when there is nothing left', () =>
    given(requested, advanced, replayEvents.ReplayCompleted()).then({
      ...running,
      status: 'completed',
      scheduled: 130,
      completed_at: of.later,
    }));

  it('is abandoned, not completed, when its endpoint is gone', () =>
    given(requested, advanced, replayEvents.ReplayAbandoned()).then({
      ...running,
      status: 'abandoned',
      scheduled: 100,
    }));
});
