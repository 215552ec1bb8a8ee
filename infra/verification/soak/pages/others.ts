import { setTimeout as delay } from 'node:timers/promises';
import { timed } from '../../bench/latency.ts';
import type { SystemClient } from '../../bench/system/system-client.ts';
import { workOn, type Took } from '../../hostile-pages/customer.ts';
import type { HostileSite } from '../../hostile-pages/site.ts';

/** Results of accounts without hostile pages over some time. */
export interface WorkloadResult {
  readonly took: readonly Took[];
  /** Requests that failed. */
  readonly complaints: readonly string[];
  /** Sessions that ended without a request. */
  readonly ended: number;
}

/** Rounds with a session, before it is ended and another one created. */
const roundsOfASession = 10;
const pauseMs = 250;

/** Each works on ordinary pages, with one session at a time, until the signal. */
export async function workUntil(
  signal: AbortSignal,
  clients: readonly SystemClient[],
  site: HostileSite,
): Promise<WorkloadResult> {
  const took: Took[] = [];
  const complaints: string[] = [];
  let ended = 0;
  const note = async (operation: string, work: () => Promise<unknown>) =>
    void took.push({ operation, milliseconds: await timed(work) });
  const useOne = async (client: SystemClient): Promise<void> => {
    let session = '';
    try {
      await note('create', async () => (session = await client.create()));
      for (let round = 0; round < roundsOfASession && !signal.aborted; round += 1) {
        took.push(...(await workOn(client, session, site)));
        await delay(pauseMs);
      }
      await note('end', () => client.end(session));
    } catch (error) {
      complaints.push(String(error));
      if (String(error).includes(': 410 ')) ended += 1;
      else await client.end(session).catch(() => undefined);
    }
  };
  const keepWorking = async (client: SystemClient): Promise<void> => {
    while (!signal.aborted) await useOne(client);
  };
  await Promise.all(clients.map(keepWorking));
  return { took, complaints, ended };
}
