import type { Caller } from '../../commands/engine/context.ts';
import type { RouteIdOn } from '../../contracts/routes/index.ts';
import type { Call, Handler, Reply } from '../../infra/http/index.ts';
import { duringOutage } from './outage.ts';
import type { PositionRecordingStore } from './position-recording-store.ts';

type Routes = RouteIdOn<'write'>;

/** The handlers of some routes. */
export type HandlersOf<Id extends Routes> = { readonly [Each in Id]: Handler<Each, Caller> };

type OnFound<Found> = <Id extends Routes>(
  run: (call: Call<Id, Caller, Found>) => Promise<Reply>,
) => Handler<Id, Caller>;

/**
 * Makes handlers that translate outages to 503 and reply only after the account's write position is recorded, for reads of its own
 * writes. Before a refusal a command may have appended events for any account (a reused refresh token ends its session), so a
 * refusal waits for every unrecorded position of this process.
 */
export const createHandling = (recorded: PositionRecordingStore['recorded']) => {
  const running = new Set<Promise<unknown>>();
  const settled = <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) => {
    const settling = async (...args: Args): Promise<Result> => {
      try {
        return await work(...args);
      } catch (error) {
        await recorded();
        throw error;
      }
    };
    return duringOutage((...args: Args) => heldIn(running, settling(...args)));
  };

  const answering = <C extends { readonly caller: Caller }>(run: (call: C) => Promise<Reply>) => ({
    run: settled(async (call: C): Promise<Reply> => {
      const reply = await run(call);
      await recorded(call.caller.accountId);
      return reply;
    }),
  });

  /**
   * The same for routes with an `{id}`: `find` looks the resource up, or refuses, before the body is validated. `run` gets the
   * result.
   */
  const answeringOn = <Found>(find: (caller: Caller, id: string) => Promise<Found>) => {
    const exists = settled((caller: Caller, { id }: { readonly id: string }) => find(caller, id));
    // Every route with an effect takes a credential, so there is a caller.
    return (<C extends { readonly caller: Caller }>(run: (call: C) => Promise<Reply>) => ({
      exists,
      ...answering(run),
    })) as OnFound<Found>;
  };

  /** The same for routes without a credential, whose account is unknown beforehand. */
  const answeringAnyone = <C>(run: (call: C) => Promise<Reply>) => ({
    run: settled(async (call: C): Promise<Reply> => {
      const reply = await run(call);
      await recorded();
      return reply;
    }),
  });

  /** Resolves when no handler runs. */
  const idle = async (): Promise<void> => {
    while (running.size > 0) await Promise.allSettled(running);
  };

  return { answering, answeringOn, answeringAnyone, idle };
};

/** The work, which is in the set until it has ended. */
function heldIn<T>(running: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
  running.add(work);
  const ended = () => void running.delete(work);
  work.then(ended, ended);
  return work;
}

export type Handling = ReturnType<typeof createHandling>;
