import type { Caller } from '../../commands/engine/context.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import type { Reply } from '../../infra/http/index.ts';
import { duringOutage } from './outage.ts';

type Noted = (accountId: string) => Promise<void>;

/** Wraps a handler's `run`: answers during an outage, and nothing goes out before what it changed is noted. */
export const answering =
  (noted: Noted) =>
  <Call extends { readonly caller: Caller }>(run: (call: Call) => Promise<Reply>) =>
    duringOutage(async (call: Call): Promise<Reply> => {
      try {
        return await run(call);
      } finally {
        await noted(call.caller.accountId);
      }
    });

export type Answering = ReturnType<typeof answering>;

/** A reply that says where in the log its change stands; nothing when nothing changed. */
export const at = (position: Position | undefined): { readonly position?: Position } =>
  position === undefined ? {} : { position };
