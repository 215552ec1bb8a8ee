// Every marked line is a mistake that the packed client's types must reject: the compiler itself checks the marks.
import { RateLimited, Service, type ServiceError } from 'service/client';

// @ts-expect-error -- without an address there is no service
export const nowhere = new Service({ apiKey: 'svc' });
const service = new Service({ baseUrl: 'https://api.example', apiKey: 'svc' });

export async function wrong(error: ServiceError): Promise<void> {
  // @ts-expect-error -- there is no such field
  await service.sessions.create({ lable: 'walk' });
  // @ts-expect-error -- the events are missing
  await service.webhooks.create({ url: 'https://example.org' });
  const session = await service.sessions.create();
  // @ts-expect-error -- there is no such word
  await session.navigate('https://example.org', { wait_until: 'lunch' });
  // @ts-expect-error -- there is no such kind
  await session.interact({ kind: 'jump' });
  // @ts-expect-error -- typing takes a text
  await session.type({ selector: '#name' });
  // @ts-expect-error -- there is no such kind of element's name
  await session.tap({ colour: 'red' });
  // @ts-expect-error -- the comparison can never hold
  if (session.status === 'asleep') return;
  const { data } = await session.extract({
    type: 'object',
    properties: { n: { type: 'number' } },
    required: ['n'],
  });
  // @ts-expect-error -- it is a number
  data.n.trim();
  // @ts-expect-error -- there is no such property
  data.m;
  const answer = await (await service.agents.create()).send('Go on.');
  // @ts-expect-error -- only of one kind of answer
  answer.clarifying_question;
  // @ts-expect-error -- an id is a text
  await service.sessions.get(7);
  // @ts-expect-error -- there is no such problem
  if (error.is('no-such-problem')) return;
  // @ts-expect-error -- only of this problem
  error.activeSessionId;
  // @ts-expect-error -- seconds are a number
  if (error instanceof RateLimited) error.retryAfterSeconds.trim();
  // @ts-expect-error -- a body that was parsed already
  service.webhooks.verify({ body: {}, signature: '', secret: '' });
}
