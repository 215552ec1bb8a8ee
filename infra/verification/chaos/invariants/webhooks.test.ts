import { expect } from 'chai';
import { envelopeIdOf } from '../../../../contracts/webhooks/envelope.ts';
import type { Evidence } from '../evidence/index.ts';
import { DISABLE_AFTER } from '../world/index.ts';
import { failuresAreCounted } from './failures-in-a-row.ts';
import { event, soundEvidence } from './testing/index.ts';
import type { Invariant } from './invariant.ts';
import { everyoneIsNotified } from './n2-deliveries.ts';
import { signedByLiveSecrets } from './n2-signatures.ts';
import { attemptsAreDue } from './n5-attempts.ts';
import { byOurClock } from './uncertainty.ts';
import {
  delivery,
  endpoint,
  failed,
  message,
  path,
  shown,
  succeeded,
  time,
  deliveredStory,
  wallClock,
  webhookId,
} from './testing/webhooks.ts';

const found = ({ violations }: Invariant, evidence: Partial<Evidence>): string =>
  violations(soundEvidence(evidence))
    .map(({ what }) => what)
    .join('; ');

describe('the invariants of webhooks', () => {
  it('convert the service’s time; a time that the clock showed twice means the later one', () => {
    const clockJumps = [
      { at: 1_000, ms: 3_600_000 },
      { at: 5_000, ms: -2_000 },
      { at: 6_000, ms: -2_000 },
    ];
    const ours = (shown: number): number => byOurClock(soundEvidence({ clockJumps }), shown);
    expect(ours(500)).to.equal(500);
    expect(ours(3_602_000)).to.equal(6_000);
    expect(ours(3_601_500)).to.equal(1_500);
  });

  it('accept a successful delivery', () => {
    const story = deliveredStory();
    const sound = story.with(delivery(story.cause, [succeeded()]));
    for (const each of [everyoneIsNotified, signedByLiveSecrets, attemptsAreDue, failuresAreCounted])
      expect(found(each, sound), each.id).to.equal('');
  });

  describe('N2', () => {
    it('see an event that was not sent, one that was sent twice, and one without a subscriber', () => {
      const story = deliveredStory();
      const one = delivery(story.cause, [succeeded()]);
      const again = delivery(story.cause, [succeeded()], {}, 'two');
      expect(found(everyoneIsNotified, story.with([], { messages: [] }))).to.contain('has 0 deliveries');
      expect(found(everyoneIsNotified, story.with([...one, ...again]))).to.contain('has 2 deliveries');
      const other = delivery(story.cause, [succeeded()], { webhookId: 'whk_other' });
      expect(found(everyoneIsNotified, story.with(other))).to.contain('was not to be');
    });

    it('judge subscription and activity by the position in the log', () => {
      for (const before of [
        endpoint('WebhookChanged', { events: ['session.failed'] }),
        endpoint('WebhookDisabled'),
      ]) {
        const story = deliveredStory();
        const one = delivery(story.cause, [succeeded()]);
        const log = [...story.before, before, story.cause, ...one];
        expect(found(everyoneIsNotified, story.with([], { log }))).to.contain('was not to be');
        expect(found(everyoneIsNotified, story.with(one, {}, [before]))).to.equal('');
      }
    });

    it('see a delivery without an end, with two, and one that was cancelled without a reason', () => {
      const story = deliveredStory();
      const ended = (...then: Parameters<typeof delivery>[1]) =>
        found(everyoneIsNotified, story.with(delivery(story.cause, then)));
      expect(ended(failed())).to.equal('a delivery ended 0 times');
      expect(ended(succeeded(), ['DeliveryCancelled', {}])).to.contain('ended 2 times');
      expect(ended(['DeliveryCancelled', {}])).to.contain('to an active endpoint was cancelled');
      expect(ended(['DeliveryCancelled', {}], succeeded())).not.to.contain('ended');
    });

    it('see a delivered event that no receiver got, another body, and a message without a delivery', () => {
      const story = deliveredStory();
      const one = delivery(story.cause, [succeeded()]);
      const took = (changes: Parameters<typeof message>[1]) =>
        found(everyoneIsNotified, story.with(one, { messages: [message(story.cause, changes)] }));
      expect(took({ answered: 503 })).to.equal('what is delivered was taken by nobody');
      expect(took({ body: '{"id":"another"}' })).to.contain('came with another body');
      expect(took({ path: '/good/other' })).to.contain('out of nowhere');
    });

    it('see a replay that lacks an event, or never ends', () => {
      const story = deliveredStory();
      const one = delivery(story.cause, [succeeded()]);
      const of = (type: string, more = {}) =>
        event(type, {
          stream: 'webhook_replay-r',
          data: { webhookId, replayId: 'rpl_r', types: null, ...more },
        });
      const requested = of('ReplayRequested', { since: time(0), until: time(60) });
      const replayed = (...after: ReturnType<typeof of>[]) =>
        found(everyoneIsNotified, story.with(one, {}, [requested, ...after]));
      expect(replayed()).to.equal('the replay is not over');
      expect(replayed(of('ReplayCompleted'))).to.contain('has 0 deliveries in rpl_r');
      const again = delivery(story.cause, [succeeded()], { trigger: 'replay', replayId: 'rpl_r' }, 'two');
      expect(replayed(...again, of('ReplayCompleted'))).to.equal('');
    });

    it('see a signature by an unknown secret, by one after its grace period, and a missing one in the grace period', () => {
      const story = deliveredStory();
      const rotated = endpoint('WebhookSecretRotated', { graceEndsAt: time(60), at: time(10) }, 'rotate');
      const signed = (at: number, ...secrets: string[]) =>
        found(
          signedByLiveSecrets,
          story.with(
            delivery(story.cause, [succeeded()]),
            {
              history: [shown('register', 'whsec_first'), shown('rotate', 'whsec_second', wallClock(10))],
              messages: [message(story.cause, { at: wallClock(at), secrets })],
            },
            [rotated],
          ),
        );
      expect(signed(30, 'whsec_second', 'whsec_first')).to.equal('');
      expect(signed(30, 'whsec_second', 'whsec_strange')).to.contain('of nobody’s');
      expect(signed(30)).to.contain('of nobody’s');
      expect(signed(30, 'whsec_first')).to.contain('lacks the signature');
      expect(signed(90, 'whsec_second')).to.equal('');
      expect(signed(90, 'whsec_second', 'whsec_first')).to.contain('grace was over');
    });
  });

  describe('N5', () => {
    it('sees an early attempt, by the log and by the receiver, and a seventh', () => {
      const story = deliveredStory();
      const early = delivery(story.cause, [failed(), succeeded({ startedAt: time(4.9), at: time(5) })]);
      expect(found(attemptsAreDue, story.with(early))).to.contain('before its time');
      const late = delivery(story.cause, [failed(), succeeded({ startedAt: time(5), at: time(5.1) })]);
      expect(found(attemptsAreDue, story.with(late))).to.equal('');
      const between = [message(story.cause, { at: wallClock(3) })];
      expect(found(attemptsAreDue, story.with(late, { messages: between }))).to.contain(
        'between its attempts',
      );
      const after = [message(story.cause, { at: wallClock(9) })];
      expect(found(attemptsAreDue, story.with(late, { messages: after }))).to.contain('between its attempts');
      const seven = delivery(
        story.cause,
        Array.from({ length: 7 }, () => failed({ nextAttemptAt: time(2) })),
      );
      expect(found(attemptsAreDue, story.with(seven))).to.contain('a round of 7 attempts');
    });

    it('sees a mail that was never sent, or is recorded as sent and did not arrive', () => {
      const queued = event('MailQueued', { stream: 'mail-one' });
      const sent = event('MailSent', { stream: 'mail-one' });
      expect(found(attemptsAreDue, { log: [queued] })).to.contain('neither sent nor given up');
      expect(found(attemptsAreDue, { log: [queued, sent] })).to.contain('and 0 were taken');
    });
  });

  describe('failures in a row', () => {
    const story = deliveredStory();
    const failures = delivery(
      story.cause,
      Array.from({ length: DISABLE_AFTER }, () => failed({ nextAttemptAt: time(2) })),
    );
    const outcomes = failures.slice(1);
    const counted = outcomes.map(({ position }, index) =>
      endpoint('WebhookFailureCounted', { consecutive: index + 1, position: String(position) }),
    );
    const disabled = endpoint('WebhookDisabled', { consecutive: DISABLE_AFTER, at: time(10) });
    const saying = (...after: Parameters<typeof story.with>[2] & object) =>
      found(failuresAreCounted, story.with(failures, {}, after));

    it('are compared with a count by hand, and end once', () => {
      expect(saying(...counted, disabled)).to.equal('');
      expect(saying(...counted)).to.contain('disabled 0 times');
      expect(saying(...counted, disabled, disabled)).to.contain('disabled 2 times');
      expect(saying(...counted.slice(1), disabled)).to.contain('by hand 1 at');
      expect(saying(...counted, ...counted.slice(-1), disabled)).to.contain('by hand not');
    });

    it('see a message long after the endpoint was disabled, unless no worker could have learned of it', () => {
      const evidence = (changes: Partial<Evidence> = {}) =>
        found(
          failuresAreCounted,
          story.with(
            failures,
            { messages: [message(story.cause, { at: wallClock(20), path })], ...changes },
            [...counted, disabled],
          ),
        );
      expect(evidence()).to.contain(`${envelopeIdOf(story.cause.id)} was sent 6000 ms after`);
      const faults = [{ name: 'pause worker', from: wallClock(12), to: wallClock(18) }];
      expect(evidence({ faults })).to.equal('');
    });
  });
});
