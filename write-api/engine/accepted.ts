import { setTimeout as delay } from 'node:timers/promises';
import type { Reply } from '../../infra/http/index.ts';

/** Minimum duration of a request for a mail, in milliseconds: longer than the work, so that timing reveals nothing. */
const requestFloorMs = 150;

/** The same answer after the same time, whether or not a mail was sent. */
export async function accepted(requested: Promise<unknown>): Promise<Reply> {
  await Promise.all([requested, delay(requestFloorMs)]);
  return { body: { status: 'accepted' } };
}
