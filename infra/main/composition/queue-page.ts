import type { RequestListener } from 'node:http';
import { need } from '../../config/index.ts';
import { createQueuePage } from '../../queue/page/index.ts';
import type { RoleContext } from '../roles/role.ts';
import { openRateLimits } from './rate-limits.ts';
import { queueNames } from './wake-ups.ts';

/** The operator's look into the queues; none where no token was given to admit the operator with. */
export function openQueuePage(context: RoleContext): RequestListener | undefined {
  const { config, logger, lifetime } = context;
  if (config.OPERATOR_TOKEN === undefined) return undefined;
  const page = createQueuePage({
    queueUrl: need(config, 'QUEUE_URL'),
    queues: Object.values(queueNames),
    password: config.OPERATOR_TOKEN,
    attempts: openRateLimits(context).attempts,
    logger,
  });
  lifetime.defer('queue page', () => page.close());
  return page.listener;
}
