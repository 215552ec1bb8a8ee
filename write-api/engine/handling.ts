import type { Caller } from '../../commands/engine/context.ts';
import type { RouteIdOn } from '../../contracts/routes/index.ts';
import type { Call, Handler, Reply } from '../../infra/http/index.ts';
import { duringOutage } from './outage.ts';

type Routes = RouteIdOn<'write'>;

/** The handlers of some routes. */
export type HandlersOf<Id extends Routes> = { readonly [Each in Id]: Handler<Each, Caller> };

type OnFound<Found> = <Id extends Routes>(
  run: (call: Call<Id, Caller, Found>) => Promise<Reply>,
) => Handler<Id, Caller>;

/** A reply to a request without a credential. */
export interface AnyonesReply extends Reply {
  /** Whose account was changed. */
  readonly accountId?: string | undefined;
}

/** Makes handlers that answer during an outage, and not before what they changed is recorded for the account's reads. */
export const createHandling = (recorded: (accountId: string) => Promise<void>) => {
  const answering = <C extends { readonly caller: Caller }>(run: (call: C) => Promise<Reply>) => ({
    run: duringOutage(async (call: C): Promise<Reply> => {
      try {
        return await run(call);
      } finally {
        await recorded(call.caller.accountId);
      }
    }),
  });

  /**
   * The same for routes about what the `{id}` of their path names, which `find` looks up, or refuses, before the body is
   * looked at. `run` gets what it found.
   */
  const answeringOn = <Found>(find: (caller: Caller, id: string) => Promise<Found>) => {
    const exists = duringOutage((caller: Caller, { id }: { readonly id: string }) => find(caller, id));
    // Every route that changes something takes a credential, so there is a caller.
    return (<C extends { readonly caller: Caller }>(run: (call: C) => Promise<Reply>) => ({
      exists,
      ...answering(run),
    })) as OnFound<Found>;
  };

  /** The same for routes without a credential; `run` says whose account it changed, if any. */
  const answeringAnyone = <C>(run: (call: C) => Promise<AnyonesReply>) => ({
    run: duringOutage(async (call: C): Promise<Reply> => {
      const { accountId, ...reply } = await run(call);
      if (accountId !== undefined) await recorded(accountId);
      return reply;
    }),
  });

  return { answering, answeringOn, answeringAnyone };
};

export type Handling = ReturnType<typeof createHandling>;
