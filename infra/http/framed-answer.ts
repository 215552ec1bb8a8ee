import { PassThrough } from 'node:stream';
import { Refusal } from '../../contracts/problems.ts';
import {
  eventStreamHeaders,
  frame,
  heartbeat,
  heartbeatMs as usualHeartbeatMs,
  streamOpened,
} from './event-stream.ts';
import type { Edge } from './edge.ts';
import { isRateLimited, problemBody, refusalOf } from './problem.ts';
import type { Reply } from './types.ts';

interface FramingOptions {
  /** Problem types are `<errorsBase>/<slug>`. */
  readonly errorsBase: string;
  readonly requestId: string;
  /** Default status of an answer. */
  readonly success: number;
  /** Called after an error: whether the work may have made a change. */
  readonly mayHaveChanged: () => Edge['mayHaveChanged'];
  /** Called with every error that is not a refusal. */
  readonly failed: (error: unknown, requestId: string) => void;
  readonly heartbeatMs?: number;
}

/**
 * The answer of slow work as a stream of events: comments while it runs, then one frame with the status and the body that the
 * answer would have without a stream. `work` reports that it has started: an answer before that, such as a stored one, still has
 * its headers. It continues after the client has disconnected.
 *
 * Throws `rate-limited` if the work is refused so before it has started: it is answered with a real 429, without a stream.
 */
export async function framedAnswer(
  work: (begun: () => void) => Promise<Reply>,
  options: FramingOptions,
): Promise<Reply> {
  const { heartbeatMs = usualHeartbeatMs } = options;
  const { answer, early } = await begin(work);
  const stream = new PassThrough();
  stream.write(streamOpened);
  const beat = setInterval(() => stream.write(heartbeat(new Date())), heartbeatMs);
  stream.once('close', () => clearInterval(beat));
  void framed(answer, options).then((data) => {
    // A slow client may still be reading the frame when the next one is due, which would break the stream off.
    clearInterval(beat);
    if (!stream.destroyed) stream.end(frame({ event: 'response', data }));
  });
  return { ...early, status: 200, headers: { ...early?.headers, ...eventStreamHeaders }, body: stream };
}

interface Begun {
  readonly answer: Promise<Reply>;
  /** The answer, if the work never started. */
  readonly early?: Reply | undefined;
}

const begin = (work: (begun: () => void) => Promise<Reply>): Promise<Begun> =>
  new Promise((resolve, reject) => {
    // Deferred, so that `answer` is assigned even if the work reports its start at once.
    const answer: Promise<Reply> = Promise.resolve().then(() => work(() => resolve({ answer })));
    answer.then(
      (early) => resolve({ answer, early }),
      (error: unknown) => (isRateLimited(error) ? reject(error) : resolve({ answer })),
    );
  });

async function framed(answer: Promise<Reply>, options: FramingOptions) {
  const { errorsBase, requestId, success, failed, mayHaveChanged } = options;
  try {
    const { status = success, body = null } = await answer;
    // A stored answer is its text.
    return { status, body: typeof body === 'string' ? (JSON.parse(body) as unknown) : body };
  } catch (error) {
    const refusal = refusalOf(error, mayHaveChanged());
    if (!(error instanceof Refusal)) failed(error, requestId);
    const body = problemBody(refusal, { errorsBase, requestId });
    return { status: body.status, body };
  }
}
