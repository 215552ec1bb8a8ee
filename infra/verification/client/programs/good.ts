// Compiled against the packed client with a user's settings: every line must be accepted.
import {
  Connection,
  ConnectionFailed,
  Forbidden,
  Internal,
  ProfileInUse,
  Service,
  ServiceError,
  UnknownOutcome,
  sessions,
  type Action,
  type MessageAnswer,
  type SessionHandle,
  type WebhookEnvelope,
} from 'service/client';

/** Fails to compile unless both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <_Fact extends true>(): void => undefined;
/** Members of a union that are `never`, or have a field that is. */
type Empty<Member> = Member extends unknown ? ([Member] extends [never] ? true : never) : never;
type NeverFields<Member> = Member extends object
  ? { [Name in keyof Member]-?: [Member[Name]] extends [never] ? Name : never }[keyof Member]
  : never;

holds<Same<Empty<Action>, never>>();
holds<Same<NeverFields<Action>, never>>();
holds<Same<NeverFields<MessageAnswer>, never>>();
holds<Same<NeverFields<WebhookEnvelope>, never>>();

const service = new Service({ baseUrl: 'https://api.example', apiKey: () => 'svc', logger: { debug() {} } });

export async function drive(): Promise<string> {
  const session = await service.sessions.create(
    { label: 'walk', metadata: { any: [1] } },
    { timeoutMs: 1000 },
  );
  holds<Same<typeof session.status, 'creating' | 'ready' | 'busy' | 'destroyed' | 'errored'>>();
  await session.navigate('https://example.org', { wait_until: 'networkidle' });
  await session.tap({ role: 'button', name: 'Sign in' });
  await session.type({ label: 'Name', text: 'Ada' });
  await session.longPress({ x: 1, y: 2, duration_ms: 600 });
  await session.interact({ kind: 'drag', from: { x: 1, y: 1 }, to: { selector: '#bin' } });

  const { data } = await session.extract({
    type: 'object',
    properties: {
      heading: { type: 'string', 'x-selector': 'h1' },
      size: { enum: ['S', 'M'] },
      items: {
        type: 'array',
        'x-selector': '.item',
        items: {
          type: 'object',
          properties: { price: { type: 'number' }, sold: { type: 'boolean' } },
          required: ['price'],
        },
      },
    },
    required: ['items'],
  });
  holds<Same<typeof data.heading, string | undefined>>();
  holds<Same<typeof data.size, 'S' | 'M' | undefined>>();
  const [item] = data.items;
  const price: number | undefined = item?.price;
  const sold: boolean | undefined = item?.sold;
  const { data: text } = await session.extract({ type: 'string' });
  holds<Same<typeof text, string | null>>();
  const anySchema: Record<string, never> = {};
  const { data: anything } = await session.extract(anySchema);
  holds<Same<typeof anything, unknown>>();

  const whole: Promise<SessionHandle> = service.sessions.get(session.id);
  const { position, replayed, response } = await service.sessions
    .get('ses_1', { as_of: '1/1' })
    .withResponse();
  await session.end();
  return `${price} ${sold} ${(await whole).label} ${position ?? ''} ${replayed} ${response.status} ${session.status}`;
}

export async function read(signal: AbortSignal): Promise<void> {
  for await (const each of service.sessions.list({ status: 'ready', signal }))
    await each.capture('screenshot');
  for await (const page of service.keys.list().byPage()) if (page.data.length === 0) return;
  for await (const { names } of service.auditLog.list({ action: 'x' }).byPage())
    if (names.acc_1 === 'Ada') return;
  for await (const state of service.status.stream()) if (state.status.indicator === 'none') return;
}

export async function talk(): Promise<string> {
  const agent = await service.agents.create({ mode: 'ai' });
  for await (const step of agent.send('Find the invoice.'))
    if (step.kind === 'intent' && step.result.kind === 'failure') return step.result.diagnosis.category;
  const answer = await agent.send('And the next one.', { recipe_id: 'rec_1', signal: AbortSignal.abort() });
  for await (const { index, entry } of agent.transcript({ after: 3 })) if (index > 9) return entry.body;
  switch (answer.kind) {
    case 'plan-executed':
      return answer.ok ? 'done' : 'half done';
    case 'clarify':
      return answer.clarifying_question;
    case 'refuse':
      return answer.refuse_reason;
    case 'logged-manual':
      return answer.session.mode;
    default: {
      const none: never = answer;
      return none;
    }
  }
}

export function explain(error: unknown): string {
  if (error instanceof UnknownOutcome) return error.ask;
  if (!(error instanceof ServiceError)) return 'not ours';
  // Excluding a type that an error does not have must not narrow it.
  if (error.is('forbidden')) return error.slug;
  if (error.is('profile-in-use')) return error.activeSessionId.trim();
  if (error instanceof Forbidden || error instanceof Internal || error instanceof ConnectionFailed)
    return error.requestId;
  if (error instanceof ProfileInUse) return error.activeSessionId;
  return error.detail;
}

export function receive(body: string, signature: string | undefined): string {
  const event = service.webhooks.verify({ body, signature, secret: ['whsec_1', 'whsec_2'] });
  return event.type === 'session.failed' ? event.data.error_name : event.id;
}

export async function more(): Promise<number> {
  const small = sessions(new Connection({ baseUrl: 'https://api.example', fetch: globalThis.fetch }));
  await small.destroy('ses_1', { idempotencyKey: 'none', headers: { 'X-Trace': '1' } });
  const rows = await service.request<{ rows: number[] }>('GET', '/v1/new', { query: { limit: 1 } });
  return rows.rows.length + Service.operations.length;
}
