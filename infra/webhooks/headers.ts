interface About {
  readonly eventId: string;
  readonly eventType: string;
}

/** What every attempt is sent with, beside what HTTP itself needs; without a signature: what is the same for all of them. */
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
