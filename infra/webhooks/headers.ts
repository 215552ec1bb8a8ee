interface About {
  readonly eventId: string;
  readonly eventType: string;
}

/** Headers of an attempt, besides those of HTTP itself; without a signature, the ones common to all attempts. */
export const headersOf = <Signature extends string | null>(
  { eventId, eventType }: About,
  signature: Signature,
): readonly (readonly [name: string, value: string | Signature])[] => [
  ['Content-Type', 'application/json'],
  ['X-Service-Signature', signature],
  ['X-Service-Event-Id', eventId],
  ['X-Service-Event-Type', eventType],
  ['User-Agent', 'Service-Webhooks/1'],
];
