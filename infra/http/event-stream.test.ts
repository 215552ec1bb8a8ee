import { expect } from 'chai';
import { acceptsEventStream, comment, frame, heartbeat, reconnectAfter } from './event-stream.ts';

const accepts = (accept?: string) =>
  acceptsEventStream({ header: (name) => (name === 'accept' ? accept : undefined) });

describe('server-sent events', () => {
  const cases: readonly (readonly [string | undefined, boolean])[] = [
    ['text/event-stream', true],
    ['Text/Event-Stream;charset=utf-8', true],
    ['text/event-stream, application/json;q=0.9, */*', true],
    ['application/json, text/event-stream', true],
    ['application/json, text/event-stream;q=0.5', false],
    ['text/event-stream;q=0', false],
    ['text/event-stream; q=nonsense', false],
    ['application/json', false],
    ['*/*', false],
    ['text/*', false],
    ['', false],
    [undefined, false],
  ];
  for (const [accept, isStream] of cases)
    it(`${isStream ? 'are' : 'are not'} accepted by Accept: ${accept ?? 'nothing'}`, () =>
      expect(accepts(accept)).to.equal(isStream));

  it('are written in their format, with data on one line', () => {
    expect(frame({ event: 'said', id: '7', data: { text: 'one\ntwo' } })).to.equal(
      'event: said\nid: 7\ndata: {"text":"one\\ntwo"}\n\n',
    );
    expect(frame({ event: 'said', data: 1 })).to.equal('event: said\ndata: 1\n\n');
    expect(comment('stream open')).to.equal(': stream open\n\n');
    expect(heartbeat(new Date(0))).to.equal(': heartbeat 1970-01-01T00:00:00.000Z\n\n');
    expect(reconnectAfter(1500)).to.equal('retry: 1500\n\n');
  });
});
