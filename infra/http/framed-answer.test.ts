import type { Readable } from 'node:stream';
import { expect } from 'chai';
import { refuse } from '../../contracts/problems.ts';
import { gate, until } from '../verification/testbed/index.ts';
import { framedAnswer } from './framed-answer.ts';
import type { Reply } from './types.ts';

const failures: unknown[] = [];
const options = {
  errorsBase: 'https://errors.example',
  requestId: 'req_1',
  success: 200,
  failed: (error: unknown) => void failures.push(error),
  mayHaveChanged: () => 'unkeyed' as const,
  heartbeatMs: 5,
};

async function read({ body }: Reply): Promise<string> {
  let text = '';
  for await (const chunk of body as Readable) text += String(chunk);
  return text;
}

const frameIn = (text: string): unknown =>
  JSON.parse(/^event: response\ndata: (.*)\n\n$/m.exec(text)?.[1] ?? '');

describe('an answer in a frame', () => {
  it('comes after comments that open the stream and keep it alive', async () => {
    const work = gate();
    const reply = await framedAnswer(async (begun) => {
      begun();
      await work.pass();
      return { body: { done: true } };
    }, options);
    const stream = reply.body as Readable;
    let text = '';
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await until(() => text.split(': heartbeat ').length > 2);
    work.open();
    await until(() => stream.readableEnded);
    expect(text).to.match(/^: stream open\n\n(: heartbeat \d{4}-\d\d-\d\dT[\d:.]+Z\n\n)+event: response\n/);
    expect(frameIn(text.slice(text.indexOf('event:')))).to.deep.equal({ status: 200, body: { done: true } });
  });

  it('is whole for a client that reads it more slowly than comments come', async () => {
    const large = 'x'.repeat(1_000_000);
    const reply = await framedAnswer(async () => ({ body: { large } }), options);
    const stream = reply.body as Readable;
    let comments = 0;
    const due = setInterval(() => (comments += 1), options.heartbeatMs);
    await until(() => stream.readableLength > large.length && comments > 3);
    clearInterval(due);
    expect(frameIn((await read(reply)).replace(': stream open\n\n', ''))).to.deep.equal({
      status: 200,
      body: { large },
    });
  });

  it('has the headers of an answer that existed before the work began', async () => {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Replayed': 'true' };
    const reply = await framedAnswer(async () => ({ status: 201, headers, body: '{"a":1}' }), options);
    expect(reply.status).to.equal(200);
    expect(reply.headers).to.include({
      'Content-Type': 'text/event-stream',
      'Idempotency-Replayed': 'true',
    });
    expect(await read(reply)).to.equal(
      ': stream open\n\nevent: response\ndata: {"status":201,"body":{"a":1}}\n\n',
    );
  });

  it('is the same problem as without a stream', async () => {
    const refused = await framedAnswer(
      () => Promise.reject(refuse('conflict', 'Busy.', { phase: 'x' })),
      options,
    );
    expect(frameIn((await read(refused)).replace(': stream open\n\n', ''))).to.deep.equal({
      status: 409,
      body: {
        phase: 'x',
        type: 'https://errors.example/conflict',
        title: 'Conflict',
        status: 409,
        detail: 'Busy.',
        instance: 'req_1',
      },
    });
    expect(failures).to.deep.equal([]);
  });

  it('is a real refusal, without a stream, if the work is rate-limited before it begins, but not after', async () => {
    const tooMany = refuse('rate-limited', 'Wait.', { retry_after_seconds: 3 });
    const before = await framedAnswer(() => Promise.reject(tooMany), options).catch(
      (error: unknown) => error,
    );
    expect(before).to.equal(tooMany);
    const after = await framedAnswer((begun) => {
      begun();
      return Promise.reject(tooMany);
    }, options);
    expect(await read(after))
      .to.contain('event: response')
      .and.contain('"status":429');
  });

  it('does not disclose an unexpected error, which is reported', async () => {
    const fault = new Error('secret');
    const text = await read(await framedAnswer(() => Promise.reject(fault), options));
    expect(text).to.contain('"status":500').and.not.to.contain('secret');
    expect(text)
      .to.contain('Whether this change was made is unknown')
      .and.not.to.contain('may be sent again');
    expect(failures).to.deep.equal([fault]);
  });

  it('does not keep the stream open once the client has disconnected', async () => {
    const reply = await framedAnswer((begun) => {
      begun();
      return new Promise(() => undefined);
    }, options);
    const stream = reply.body as Readable;
    stream.destroy();
    await until(() => stream.closed);
    expect(stream.errored).to.equal(null);
  });
});
