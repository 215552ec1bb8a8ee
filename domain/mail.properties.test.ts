import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mailTemplates } from '../contracts/events/mail.ts';
import { idOf, text, time } from './testing/arbitraries.ts';
import { describeDecider } from './testing/decider-properties.ts';
import { mail, type MailCommand } from './mail.ts';

const backoffMs = [60_000, 600_000];
const queue = fc.record({
  type: fc.constant('QueueMail' as const),
  mailId: idOf('mail', 1),
  accountId: idOf('account', 1),
  template: fc.constantFrom(...mailTemplates),
  facts: fc.record({ url: text, consecutive: fc.nat() }),
  at: time,
});
const record = fc.record({
  type: fc.constant('RecordMailAttempt' as const),
  attempt: fc.integer({ min: 1, max: 4 }),
  error: fc.option(fc.constantFrom('unreachable' as const, 'refused' as const, 'timeout' as const), {
    freq: 3,
  }),
  backoffMs: fc.constant(backoffMs),
  at: time,
});
const abandon = fc.record({
  type: fc.constant('AbandonMail' as const),
  reason: fc.constantFrom('account_erased' as const, 'expired' as const, 'opted_out' as const),
  at: time,
});
const decline = fc.record({
  type: fc.constant('DeclineMail' as const),
  mailId: idOf('mail', 1),
  accountId: idOf('account', 1),
  template: fc.constantFrom(...mailTemplates),
  at: time,
});
const command: fc.Arbitrary<MailCommand> = fc.oneof(
  { weight: 3, arbitrary: queue },
  { weight: 12, arbitrary: record },
  { weight: 1, arbitrary: abandon },
  { weight: 1, arbitrary: decline },
);

describeDecider('a mail under any sequence of commands', {
  decider: mail,
  command,
  statusOf: ({ status }) => status,
  transitions: [
    ['none', 'MailQueued', 'queued'],
    ['none', 'MailDeclined', 'declined'],
    ['queued', 'MailAttemptFailed', 'queued'],
    ['queued', 'MailSent', 'sent'],
    ['queued', 'MailAbandoned', 'abandoned'],
  ],
  invariant: (state, { at }) => {
    if (!('attempts' in state)) return;
    assert.ok(state.attempts <= backoffMs.length + 1, `${state.attempts} attempts`);
    if (state.status === 'queued') assert.ok(state.dueAt >= at, 'due before it was decided');
  },
});
