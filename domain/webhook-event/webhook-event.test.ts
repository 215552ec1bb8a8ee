import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { toId } from '../../contracts/ids.ts';
import { sessionErrorNames } from '../../contracts/operations.ts';
import { envelopeIdOf, envelopes } from '../../contracts/webhooks/envelope.ts';
import { events as sessions } from '../session/testing.ts';
import { announced, eventId, unannounced, type SourceEvent } from './testing.ts';
import { bodyOf, deliveryIdOf, envelopeOf } from './webhook-event.ts';

/* A changed body would be another body under the same id: receivers, replays and signatures rely on its bytes. */
const golden = (name: string): string =>
  readFileSync(new URL(`./golden/${name.replaceAll(' ', '-')}.body`, import.meta.url), 'utf8');

const dataOf = (event: SourceEvent): unknown => envelopeOf(eventId, event)?.data;

describe('the envelope of an event', () => {
  for (const [name, event] of Object.entries(announced)) {
    it(`has the same bytes as ever, for ${name}`, () => {
      const envelope = envelopeOf(eventId, event);
      expect(envelope && bodyOf(envelope)).to.equal(golden(name));
    });
  }

  it('is tested for every type of the contract', () => {
    const types = Object.values(announced).map((event) => envelopeOf(eventId, event)?.type);
    expect(new Set(types)).to.deep.equal(new Set(Object.keys(envelopes)));
  });

  it('does not exist for intermediate events', () => {
    expect(unannounced.length).to.be.greaterThan(10);
    for (const event of unannounced) expect(envelopeOf(eventId, event), event.type).to.equal(undefined);
  });
});

describe('the end of a session', () => {
  it('has no reason, and no mark of an automatic one, when its customer destroyed it', () => {
    expect(dataOf(sessions.SessionDestroyed())).to.have.all.keys('session_id', 'duration_ms');
  });

  it('has the reason if it was destroyed without a request', () => {
    expect(dataOf(sessions.SessionDestroyed({ cause: 'duration_cap' }))).to.include({
      auto_destroyed: true,
      reason: 'auto-destroyed: free-tier session duration cap',
    });
    expect(dataOf(sessions.SessionDestroyed({ cause: 'suspension' }))).to.include({
      auto_destroyed: true,
      reason: 'account suspended',
    });
  });

  it('is marked as automatic, but without a reason of the contract, after any other end without a request', () => {
    for (const cause of ['idle', 'agent_session'] as const) {
      const data = dataOf(sessions.SessionDestroyed({ cause }));
      expect(data).to.have.all.keys('session_id', 'duration_ms', 'auto_destroyed');
    }
  });

  it('has one fixed text for each kind of failure', () => {
    const texts = sessionErrorNames.map((errorName) => dataOf(sessions.SessionErrored({ errorName })));
    expect(texts.map((data) => Object.entries(data ?? {}).slice(-2))).to.deep.equal(
      [
        ['SessionTimeoutError', 'The session operation timed out.'],
        ['DriverError', 'The browser operation failed.'],
        ['DriverNotIntegratedError', 'The browser driver was unavailable.'],
        ['UnknownError', 'The session operation failed.'],
      ].map(([name, text]) => [
        ['error_name', name],
        ['error_message', text],
      ]),
    );
  });
});

describe('the ids of envelopes and deliveries', () => {
  const webhookId = toId('webhook', '0197f1a0-0000-7000-8000-000000000001');

  it('derive from the event, and never change', () => {
    expect(envelopeIdOf(eventId)).to.equal('60fb0fda-1d36-5d64-99e1-fbe147e53fc4');
    expect(deliveryIdOf(envelopeIdOf(eventId), webhookId, 'event')).to.equal(
      'dlv_657475be-b586-5b4c-a05b-ed8db3123615',
    );
  });

  it('differ by event, and those of deliveries also by endpoint and trigger', () => {
    const envelope = envelopeIdOf(eventId);
    const other = envelopeIdOf('0197f1a0-0000-5000-8000-00000000000f');
    const otherWebhook = toId('webhook', '0197f1a0-0000-7000-8000-000000000002');
    const ids = [
      envelope,
      other,
      deliveryIdOf(envelope, webhookId, 'event'),
      deliveryIdOf(envelope, webhookId, 'test one'),
      deliveryIdOf(envelope, otherWebhook, 'event'),
      deliveryIdOf(other, webhookId, 'event'),
    ];
    expect(new Set(ids).size).to.equal(ids.length);
  });
});
