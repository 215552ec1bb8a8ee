import express, { type Request, type Response, type Router } from 'express';
import type { Logger } from 'pino';
import { VideoJoin, pathOf, videoRoutes, type VideoJoined } from '../../../contracts/fleet/protocol.ts';
import { Refusal, problems } from '../../../contracts/problems.ts';
import { shape } from '../shape.ts';

const isJoin = shape(VideoJoin);

export interface VideoIngress {
  readonly join: (token: string) => Promise<VideoJoined>;
  /** Undefined if a join would first start a browser. */
  readonly check: (token: string) => Promise<VideoJoined | undefined>;
  /** Rejects for a participant who may be in the room no longer. */
  readonly stay: (token: string) => Promise<void>;
}

/**
 * The gateway's routes for the node of a participant, and for the reason of a refusal: `videoRoutes`. The token in the body admits the
 * participant. A refusal is a status with a text for the participant.
 */
export function createVideoIngress({ join, check, stay }: VideoIngress, logger: Logger): Router {
  const router = express.Router();
  const take = (route: string, answer: (token: string) => Promise<object>) =>
    router.post(
      pathOf(route),
      express.json({ limit: '16kb' }),
      async ({ body }: Request<object, unknown, unknown>, reply) => {
        if (!isJoin.is(body)) return void reply.status(401).send('There is no video token.');
        reply.json(await answer(body.token));
      },
    );
  take(videoRoutes.join, join);
  take(videoRoutes.check, async (token) => (await check(token)) ?? {});
  take(videoRoutes.stay, async (token) => {
    await stay(token);
    return {};
  });
  router.use('/internal/video', (error: unknown, _request: Request, reply: Response, _next: unknown) => {
    if (error instanceof Refusal) {
      const { retry_after_seconds: seconds } = error.extensions;
      if (typeof seconds === 'number') reply.setHeader('Retry-After', seconds);
      return void reply.status(problems[error.slug].status).send(error.message);
    }
    logger.error({ err: error }, 'A participant could not be admitted.');
    reply.status(503).send('Live view is temporarily unavailable. Try again soon.');
  });
  return router;
}
