import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import fc from 'fast-check';
import { failedOperations, sessionErrorNames } from '../../contracts/operations.ts';
import { envelopes } from '../../contracts/webhooks/envelope.ts';
import { challengeTypes, profileSaveFailures } from '../../contracts/webhooks/event-types.ts';
import { idOf, text, time } from '../testing/arbitraries.ts';
import { events as sessions } from '../session/testing.ts';
import { events as endpoints } from '../webhook-endpoint/testing.ts';
import { eventId, type SourceEvent } from './testing.ts';
import { bodyOf, envelopeOf } from './webhook-event.ts';

const of = { sessionId: idOf('session'), at: time };
const durationMs = fc.nat();
const reported = { ...of, reportId: text };
const capabilities = fc.record({
  udp_associate: fc.boolean(),
  dns_remote_resolve: fc.boolean(),
  quic_route: fc.string({ maxLength: 100 }),
  warnings: fc.array(fc.string({ maxLength: 100 }), { maxLength: 5 }),
});
const challenge = fc.record({
  type: fc.constantFrom(...challengeTypes),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  detail: text,
});
const revoked = fc.record({
  apiKeyId: idOf('apiKey'),
  accountId: idOf('account'),
  name: text,
  by: fc.constantFrom('owner' as const, 'staff' as const),
  at: time,
});

/** Any announced event, with any data that its schema allows. */
const announced: fc.Arbitrary<SourceEvent> = fc.oneof(
  fc
    .record({
      ...{ ...of, durationMs },
      cause: fc.constantFrom('customer', 'duration_cap', 'suspension', 'idle', 'agent_session'),
    })
    .map(sessions.SessionDestroyed),
  fc
    .record({
      ...of,
      durationMs,
      operation: fc.constantFrom(...failedOperations),
      errorName: fc.constantFrom(...sessionErrorNames),
    })
    .map(sessions.SessionErrored),
  fc.record({ ...reported, capabilities }).map(sessions.EgressCapabilitiesReported),
  fc.record({ ...reported, challengeId: text, challenge }).map(sessions.ChallengeDetected),
  fc
    .record({
      ...reported,
      profileId: idOf('profile'),
      reason: fc.constantFrom(...profileSaveFailures),
      detail: text,
    })
    .map(sessions.ProfileSaveFailed),
  revoked.map((data) => ({ type: 'ApiKeyRevoked' as const, data })),
  fc
    .record({ webhookId: idOf('webhook'), triggeredBy: idOf('account'), testId: text, at: time })
    .map(endpoints.WebhookTestRequested),
);

const ajv = new Ajv({ strict: false });
addFormats.default(ajv);
const accepts = Object.fromEntries(
  Object.entries(envelopes).map(([type, schema]) => [type, ajv.compile(schema)]),
);

describe('the envelope of any event', () => {
  it('is valid by the schema of its type, whatever the event contains', () => {
    fc.assert(
      fc.property(fc.uuid(), announced, (id, event) => {
        const envelope = envelopeOf(id, event);
        const accept = accepts[envelope?.type ?? ''];
        expect(accept?.(envelope), JSON.stringify(accept?.errors)).to.equal(true);
      }),
      { numRuns: 400 },
    );
  });

  it('has its fields in the contract’s order, even after the event was stored and read', () => {
    fc.assert(
      fc.property(announced, (event) => {
        const stored = JSON.parse(JSON.stringify(event)) as SourceEvent;
        const [one, again] = [envelopeOf(eventId, event), envelopeOf(eventId, stored)];
        expect(again && bodyOf(again)).to.equal(one && bodyOf(one));
        expect(Object.keys(one ?? {})).to.deep.equal(['id', 'type', 'created_at', 'data']);
      }),
    );
  });

  it('has the time of the event', () => {
    fc.assert(
      fc.property(announced, (event) => {
        expect(envelopeOf(eventId, event)?.created_at).to.equal(event.data.at);
      }),
    );
  });
});
