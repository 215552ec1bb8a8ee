import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { SaveOutcome, censusHeader, controlRoutes, pathOf } from '../../../contracts/fleet/protocol.ts';
import type { SessionId } from '../../../contracts/ids.ts';
import type { StateCensus } from '../../../contracts/profile-state.ts';
import type { InternalTls } from '../../internal-tls/index.ts';
import { handedOn } from '../../platform/request.ts';
import { shape } from '../shape.ts';
import { ControlPlaneRefused } from './control-plane.ts';

export interface StateTransferOptions {
  /** Base URL of write-api. */
  readonly url: string;
  readonly credential: string;
  readonly tls?: InternalTls | undefined;
}

/** Milliseconds without a byte after which a transfer fails. */
const idleMs = 60_000;

/** Transfers archives of profiles' states between the control plane and this node. */
export interface StateTransfer {
  /** The archive that a session starts with. Reading it rejects if it was not sent to its end. */
  fetch(session: SessionId): Promise<Readable>;
  /** Sends the state that a session has left. Rejects with `ControlPlaneRefused`, or if the outcome is unknown. */
  save(
    session: SessionId,
    census: StateCensus,
    archive: Readable,
    signal: AbortSignal,
  ): Promise<SaveOutcome['outcome']>;
  close(): Promise<void>;
}

const isSaveOutcome = shape(SaveOutcome);

/** Uses its own connections, so that no heartbeat waits for a transfer. A transfer has no time limit while bytes arrive. */
export function createStateTransfer({ url, credential, tls }: StateTransferOptions): StateTransfer {
  const limits = { headersTimeout: idleMs, bodyTimeout: idleMs };
  const dispatcher = new Agent({ ...limits, ...(tls && { connect: tls.connect }) });
  const authorization = `Bearer ${credential}`;
  const addressOf = (route: string, session: SessionId) =>
    new URL(pathOf(route).replace(':id', session), url);
  const refused = (status: number, route: string) => new ControlPlaneRefused(status, route);

  return {
    fetch: async (session) => {
      const route = controlRoutes.fetchState;
      const reply = await request(addressOf(route, session), { dispatcher, headers: { authorization } });
      if (reply.statusCode === 200) return handedOn(reply.body);
      await reply.body.dump();
      throw refused(reply.statusCode, route);
    },
    save: async (session, census, body, signal) => {
      const route = controlRoutes.saveState;
      const headers = { authorization, [censusHeader]: JSON.stringify(census) };
      const call = { method: 'PUT', dispatcher, headers, body, signal } as const;
      const reply = await request(addressOf(route, session), call);
      const text = await reply.body.text();
      if (reply.statusCode !== 200) throw refused(reply.statusCode, route);
      const answer: unknown = JSON.parse(text);
      if (!isSaveOutcome.is(answer)) throw new Error('The reply to a state is not one.');
      return answer.outcome;
    },
    close: () => dispatcher.destroy(),
  };
}
