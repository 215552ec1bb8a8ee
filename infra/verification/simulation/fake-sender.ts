import type { AttemptError } from '../../../contracts/events/webhook-delivery.ts';
import type { SendResult } from '../../webhooks/sender.ts';
import { signatureHeader } from '../../webhooks/signature.ts';
import type { Life } from './life.ts';
import type { FakeSender, World } from './world.ts';

/** Time limit for an answer, in milliseconds. */
export const timeoutMs = 10_000;

/** Sends to the receivers in memory, signed as the real one signs. */
export const fakeSender = ({ schedule, clock, receivers }: World, life: Life): FakeSender => ({
  send: async ({ url, body, eventId, eventType, secrets }) => {
    const begunAt = schedule.now;
    const headers = {
      'x-service-signature': signatureHeader(Buffer.from(body), secrets, clock.now()),
      'x-service-event-id': eventId,
      'x-service-event-type': eventType,
    };
    const answer = await receivers.take(life, { url, body, headers });
    if (answer === 'hangs') await schedule.sleep(life, timeoutMs);
    const totalMs = schedule.now - begunAt;
    return {
      result: resultOf(answer),
      timings: { resolveMs: 0, connectMs: null, firstByteMs: null, totalMs },
    };
  },
});

function resultOf(answer: number | 'hangs' | 'cut'): SendResult {
  if (answer === 'hangs') return without('timeout');
  if (answer === 'cut') return without('connection_closed');
  return answer >= 200 && answer <= 299
    ? { outcome: 'succeeded', responseStatus: answer }
    : { outcome: 'failed', responseStatus: answer, error: null };
}

const without = (error: AttemptError): SendResult => ({ outcome: 'failed', responseStatus: null, error });
