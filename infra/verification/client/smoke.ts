import {
  AbortError,
  ConnectionFailed,
  Service,
  UnknownOutcome,
  WebhookVerificationError,
} from 'service/client';

/**
 * Exercises the client on a platform and returns lines of text, the same everywhere. Sent to each platform as one file.
 */
export async function smoke(
  baseUrl: string,
  signed: { body: string; signature: string; secret: string },
): Promise<string[]> {
  const said: string[] = [];
  const service = new Service({ baseUrl, apiKey: 'svc_test_1', readTimeoutMs: 500 });
  const session = await service.sessions.create({ label: 'smoke' });
  said.push(`${session.id} ${session.status}`);
  await session.navigate('https://example.org/');
  for await (const key of service.keys.list()) said.push(key.id);
  for await (const step of (await service.agents.create()).send('Go on.')) said.push(step.kind);
  for await (const { index } of service.agents.transcript('agt_1')) said.push(`entry ${index}`);
  said.push(await named(session.tap({ selector: '#cut' })));
  said.push(await named(service.account.me({ signal: AbortSignal.abort() })));
  said.push(await named(service.account.rateLimits({ timeoutMs: 200 })));
  const now = new Date(Number(/t=(\d+)/.exec(signed.signature)?.[1]) * 1000);
  said.push(service.webhooks.verify({ ...signed, now }).type);
  said.push(await named((async () => service.webhooks.verify({ ...signed, secret: 'whsec_other', now }))()));
  await session.end();
  said.push(session.status);
  return said;
}

async function named(call: PromiseLike<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => 'nothing was thrown',
    (thrown: unknown) => thrown,
  );
  const classes = { AbortError, ConnectionFailed, UnknownOutcome, WebhookVerificationError };
  return Object.entries(classes).find(([, known]) => error instanceof known)?.[0] ?? String(error);
}
