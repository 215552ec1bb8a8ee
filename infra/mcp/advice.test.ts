import { expect } from 'chai';
import {
  BundledLlmBudgetExhausted,
  Conflict,
  FeatureUnavailable,
  Internal,
  LegalAcceptanceRequired,
  RateLimited,
  StorageQuotaExceeded,
  UnknownOutcome,
  ValidationFailed,
} from '../../contracts/client/index.ts';
import { connected } from './testing/connection.ts';

const session = 'ses_0197f1a0-0000-7000-8000-000000000001';

describe('an answer', () => {
  it('says what to try next after a failure, and whether the outcome is unknown', async () => {
    const facts = {
      status: 429,
      type: 'https://x/rate-limited',
      title: 'Too many',
      detail: 'Slow.',
      requestId: 'req_1',
      retryAfter: 7,
    };
    const unavailable = { ...facts, status: 503, type: 'https://x/feature-unavailable' };
    const conflict = (detail: string, problem = {}) =>
      new Conflict({
        ...facts,
        status: 409,
        type: 'https://x/conflict',
        retryAfter: undefined,
        detail,
        problem,
      });
    const failures: readonly [unknown, RegExp][] = [
      [new RateLimited(facts), /Wait 7 s, then try again\. \(rate-limited, req_1\)/],
      [new UnknownOutcome({ ...facts, ask: 'Ask.' }), /may have taken effect: check before/],
      [
        new BundledLlmBudgetExhausted({ ...facts, type: 'https://x/bundled-llm-budget-exhausted' }),
        /Use act: more of the bundled model/,
      ],
      [
        new StorageQuotaExceeded({ ...facts, type: 'https://x/storage-quota-exceeded' }),
        /Open without the profile/,
      ],
      [
        new ValidationFailed({
          ...{ ...facts, type: 'https://x/validation-failed' },
          problem: { errors: [{ path: '/body/action/checked', message: 'action.checked is required.' }] },
        }),
        /Not valid: action\.checked is required\. Correct the arguments;/,
      ],
      [new TypeError('a bug with secrets'), /This server failed/],
      [
        new LegalAcceptanceRequired({ ...facts, status: 403, type: 'https://x/legal-acceptance-required' }),
        /accept the terms in the console(?![^]*try again)/i,
      ],
      [conflict('Busy.'), /wait a second or two, then try again/],
      [conflict('The idempotency key was used with a different body.'), /Use another key(?![^]*try again)/i],
      [
        conflict('The driver session has ended.', { service_session_id: session }),
        /open another with open_browser(?![^]*try again)/i,
      ],
      [
        conflict('Completed steps are not undone.', { ai_control_unavailable: true, partial_results: [{}] }),
        /not undone\. Look at the page as it is now, and ask only for what is left(?![^]*try again)/i,
      ],
      [
        conflict('A person has the controls.', { ai_control_unavailable: true }),
        /wait until they give them back(?![^]*try again)/i,
      ],
      [
        conflict('A challenge is in the way.', { agent_session_status: 'paused' }),
        /have a person solve the challenge and resume it(?![^]*try again)/i,
      ],
      [new FeatureUnavailable(unavailable), /Slow\. Try again in a moment/],
      [
        new Internal({
          ...{ ...facts, status: 500, type: 'https://x/internal', retryAfter: undefined },
          detail: 'The request failed. The request may be sent again.',
        }),
        /sent again\. Try again in a moment(?![^]*Check)/,
      ],
      [
        new FeatureUnavailable({ ...unavailable, retryAfter: undefined }),
        /Slow\. Check what was done(?![^]*try again)/i,
      ],
      [
        new Internal({ ...facts, status: 500, type: 'https://x/internal', retryAfter: undefined }),
        /Slow\. Check what was done(?![^]*try again)/i,
      ],
    ];
    for (const [failure, says] of failures) {
      const observe = async () => {
        throw failure;
      };
      const sessions = { observe, list: () => ({ async *byPage() {} }) };
      const { call, close } = await connected({ sessions });
      const { text, isError } = await call('look', { session });
      expect(isError).to.equal(true);
      expect(text).to.match(says).and.not.to.include('a bug');
      await close();
    }
  });
});
