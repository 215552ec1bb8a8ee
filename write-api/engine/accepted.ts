import { setTimeout as delay } from 'node:timers/promises';
import type { Reply } from '../../infra/http/index.ts';

/** What a request for a mail takes at least, milliseconds: much longer than the work, so that time does not tell of any. */
const requestFloorMs = 150;

/** The same answer, after the same time, whether there was somebody to send a mail to or not. */
export async function accepted(requested: Promise<unknown>): Promise<Reply> {
  await Promise.all([requested, delay(requestFloorMs)]);
  return { body: { status: 'accepted' } };
}
