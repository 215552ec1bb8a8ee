import type { Logger } from 'pino';
import { Agent } from 'undici';
import {
  HeartbeatReply,
  Registered,
  controlRoutes,
  leavesInHeader,
  pathOf,
  sentAtHeader,
  type Heartbeat,
  type Register,
  type Report,
} from '../../../contracts/fleet/protocol.ts';
import type { InternalTls } from '../../internal-tls/index.ts';
import { shape } from '../shape.ts';
import { waitBackOff, type BackOff } from '../../platform/back-off.ts';
import { systemClock, type Clock } from '../../platform/clock.ts';
import { request } from '../../platform/request.ts';
import { within } from '../../platform/timeout.ts';

/** The control plane refused the call with this status. */
export class ControlPlaneRefused extends Error {
  readonly status: number;

  constructor(status: number, route: string) {
    super(`The control plane answered ${status} to ${route}.`);
    this.name = 'ControlPlaneRefused';
    this.status = status;
  }
}

export interface ControlPlaneOptions {
  /** Base URL of write-api, such as `http://127.0.0.1:8081`. */
  readonly url: string;
  readonly joinToken: string;
  readonly credential: string;
  readonly logger: Logger;
  readonly tls?: InternalTls | undefined;
  readonly clock?: Clock;
  /** Timeout of one call, its connection included, in milliseconds. Default: 5,000. */
  readonly callMs?: number;
}

/** Pauses before a report that was not accepted is sent again. */
const backOff: BackOff = { firstMs: 250, longestMs: 5_000 };

const isRegistered = shape(Registered);
const isHeartbeatReply = shape(HeartbeatReply);

export type ControlPlane = ReturnType<typeof createControlPlane>;

/** The node's calls to the control plane. */
export function createControlPlane(options: ControlPlaneOptions) {
  const { joinToken, credential, tls } = options;
  const agent = new Agent({ connections: 4, ...(tls && { connect: tls.connect }) });
  const closing = new AbortController();
  let outbox: Promise<void> = Promise.resolve();
  const call = caller(options, agent);
  const send = (report: Report) => call(controlRoutes.report, credential, report);

  return {
    register: async (body: Register): Promise<Registered> => {
      const reply = await call(controlRoutes.register, joinToken, body);
      if (!isRegistered.is(reply)) throw new Error('The reply to a registration is not one.');
      return reply;
    },
    /** `leavesInMs`: milliseconds until the node ends its browsers at the latest; undefined unless it is being stopped. */
    heartbeat: async (body: Heartbeat, leavesInMs?: number): Promise<HeartbeatReply> => {
      const leaving = leavesInMs === undefined ? {} : { [leavesInHeader]: String(leavesInMs) };
      const reply = await call(controlRoutes.heartbeat, credential, body, leaving);
      if (!isHeartbeatReply.is(reply)) throw new Error('The reply to a heartbeat is not one.');
      return reply;
    },
    /** Sends until accepted: at least once, in order. Returns at once. */
    report: (report: Report): void => {
      outbox = outbox.then(() => deliver(report, send, options, closing.signal));
    },
    /** Resolves true when every report was accepted, false after the limit. */
    flush: (limitMs: number): Promise<boolean> =>
      within(limitMs, outbox).then(
        () => true,
        () => false,
      ),
    close: async (): Promise<void> => {
      closing.abort();
      // Ends the calls in flight. A signal of their own for it would leave a weak reference per heartbeat on this one.
      await agent.destroy();
      await outbox;
    },
  };
}

/** Sends a report until it is accepted, finally refused, or aborted by the caller. */
async function deliver(
  report: Report,
  send: (report: Report) => Promise<unknown>,
  { logger }: ControlPlaneOptions,
  closing: AbortSignal,
): Promise<void> {
  for (let attempt = 0; !closing.aborted; attempt += 1) {
    try {
      await send(report);
      return;
    } catch (error) {
      if (isOver(closing)) return;
      if (error instanceof ControlPlaneRefused && error.status === 400) {
        logger.error({ err: error, report }, 'A report was refused permanently.');
        return;
      }
      logger.warn(
        { err: error, report_id: report.report_id },
        'A report was not accepted; sending it again.',
      );
      await waitBackOff(backOff, attempt);
    }
  }
}

const isOver = (closing: AbortSignal): boolean => closing.aborted;

const caller =
  ({ url, clock = systemClock, callMs = 5_000 }: ControlPlaneOptions, agent: Agent) =>
  async (
    route: string,
    token: string,
    body: unknown,
    more: Readonly<Record<string, string>> = {},
  ): Promise<unknown> => {
    const reply = await request(new URL(pathOf(route), url), {
      method: 'POST',
      dispatcher: agent,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        [sentAtHeader]: clock.now().toISOString(),
        ...more,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(callMs),
    });
    const text = await reply.body.text();
    if (reply.statusCode < 200 || reply.statusCode > 299)
      throw new ControlPlaneRefused(reply.statusCode, route);
    return text === '' ? undefined : JSON.parse(text);
  };
