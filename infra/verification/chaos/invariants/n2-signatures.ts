import { createHmac } from 'node:crypto';
import type { ReceivedMessage } from '../../testbed/index.ts';
import { byStream, field, type Evidence, type LogEvent } from '../evidence/index.ts';
import { webhooksOf } from '../evidence/webhooks.ts';
import { answered } from '../history.ts';
import type { Invariant, Violation } from './invariant.ts';
import { mayHaveMissedChanges } from './uncertainty.ts';

/**
 * Tolerance around changes of a secret, in milliseconds: an endpoint is cached for a second, and an attempt is signed shortly
 * after its start.
 */
const TOLERANCE_MS = 2_500;

/** A signing secret, as far as the clients know it. */
interface Secret {
  /** Undefined if the answer that contained it was lost. */
  readonly text: string | undefined;
  /** By the service's clock, in milliseconds since the epoch. */
  readonly until: number;
  /** When the rotation that set its end was answered, by the harness's clock. */
  readonly replacedAt: number;
}

export const signedByLiveSecrets: Invariant = {
  id: 'N2, signatures',
  holds:
    'Every message is signed by the secrets that are live when it is sent, by both within a rotation’s grace, and by no other.',
  judged:
    'what the receivers took, against the secrets that registrations and rotations were answered with; around a fault of the event store or the worker, who may then know of a rotation late, only that it is no unknown secret',
  violations: (evidence) => {
    const secrets = secretsByPath(evidence);
    return evidence.messages.flatMap((message) => judge(evidence, message, secrets.get(message.path) ?? []));
  },
};

function secretsByPath({ log, history }: Evidence): ReadonlyMap<string, readonly Secret[]> {
  const { endpoints } = webhooksOf(log);
  const shown = new Map(history.map((exchange) => [exchange.id, exchange]));
  const secretOf = (event: LogEvent, next: LogEvent | undefined): Secret => {
    const exchange = shown.get(event.requestId ?? '');
    const text = exchange && answered(exchange, 'secret');
    const replacing = next && shown.get(next.requestId ?? '');
    return {
      text: typeof text === 'string' ? text : undefined,
      until: next === undefined ? Infinity : Date.parse(field(next, 'graceEndsAt')),
      replacedAt: replacing?.answeredAt ?? Infinity,
    };
  };
  const streams = byStream(log, 'webhook_endpoint');
  const issued = [...endpoints.values()].map(({ id, path }) => {
    const events = streams.get(`webhook_endpoint-${id.slice('whk_'.length)}`) ?? [];
    const of = events.filter(({ type }) => type === 'WebhookRegistered' || type === 'WebhookSecretRotated');
    return [path, of.map((event, index) => secretOf(event, of[index + 1]))] as const;
  });
  return new Map(issued);
}

function judge(evidence: Evidence, message: ReceivedMessage, secrets: readonly Secret[]): Violation[] {
  const [time = '', ...signatures] = message.signature.split(',');
  const signedAt = Number(time.replace('t=', '')) * 1000;
  const signers = signatures.map((signature) =>
    secrets.find(({ text }) => text !== undefined && signature === `v1=${hmac(text, time, message.body)}`),
  );
  const where = `a message to ${message.path} with ${message.signature}`;
  const unknown = secrets.filter(({ text }) => text === undefined).length;
  if (signers.length === 0 || signers.filter((each) => each === undefined).length > unknown)
    return [{ what: `${where} is signed by a secret of nobody’s` }];
  const isOver = (secret: Secret): boolean =>
    signedAt > secret.until + TOLERANCE_MS && message.at > secret.replacedAt + TOLERANCE_MS;
  if (signers.some((secret) => secret !== undefined && isOver(secret)))
    return [{ what: `${where} is signed by a secret whose grace was over` }];
  if (isHardToTell(evidence, message.at)) return [];
  const live = secrets.filter((secret) => signedAt < secret.until - TOLERANCE_MS);
  const settled = secrets.every(
    ({ replacedAt, until }) => isPast(replacedAt, message.at) || until === Infinity,
  );
  if (!settled || live.every((secret) => signers.includes(secret) || secret.text === undefined)) return [];
  return [{ what: `${where} lacks the signature of a live secret` }];
}

const isPast = (time: number, now: number): boolean => time + TOLERANCE_MS < now;

const hmac = (secret: string, time: string, body: string): string =>
  createHmac('sha256', secret)
    .update(`${time.replace('t=', '')}.`)
    .update(body)
    .digest('hex');

/** Whether cut-off workers or a moved clock make times around `at` uncertain. */
const isHardToTell = (evidence: Evidence, at: number): boolean =>
  mayHaveMissedChanges(evidence, at - 2 * TOLERANCE_MS, at) ||
  evidence.clockJumps.some((jump) => Math.abs(jump.at - at) < 2 * TOLERANCE_MS);
