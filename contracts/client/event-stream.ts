/** A server-sent event. One with the name `heartbeat` is the comment that a live stream sends every 15 seconds, `data` its time. */
export interface SentEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string | undefined;
}

/** Maximum characters of one event: a longer one is not the service's. */
const longestEvent = 64 * 1024 * 1024;

/** Parses a stream of server-sent events, heartbeats included (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export async function* eventsOf(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<SentEvent, void, undefined> {
  let fields: Fields = {};
  for await (const line of linesOf(chunks)) {
    const data = /^: heartbeat (.*)/.exec(line)?.[1];
    if (data !== undefined) yield { event: 'heartbeat', data, id: undefined };
    else if (line === '') {
      const { event = 'message', data, id } = fields;
      if (data !== undefined) yield { event, data, id };
      fields = {};
    } else take(fields, line);
  }
}

type Fields = Partial<Record<string, string>>;

function take(fields: Fields, line: string): void {
  const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
  fields[name] = name === 'data' && fields.data !== undefined ? `${fields.data}\n${value}` : value;
  if ((fields.data ?? '').length > longestEvent) throw new Error('An event of the stream is too long.');
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const text = rest + decoder.decode(chunk, { stream: true });
    if (text.length > longestEvent) throw new Error('An event of the stream is too long.');
    // A carriage return at the end may be half of a line end.
    const whole = text.endsWith('\r') ? text.length - 1 : text.length;
    const lines = text.slice(0, whole).split(/\r\n|\n|\r/);
    rest = `${lines.pop() ?? ''}${text.slice(whole)}`;
    yield* lines;
  }
  // An unfinished last line is dropped.
}
