import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { expect } from 'chai';
import { NoAnswer } from './failures.ts';
import { openMessages } from './messages.ts';
import { readAllRequest } from './requests.ts';

describe('a read call', () => {
  it('that opens after its time is cancelled, since nobody would read it', async () => {
    let open = (_call: Readable): void => undefined;
    const opening = new Promise<Readable>((resolve) => (open = resolve));
    const client = { GRPCStreamCreator: () => () => opening } as unknown as EventStoreDBClient;
    const request = readAllRequest({ from: 'start', direction: 'forwards', limit: 1, filter: {} });
    const failure: unknown = await openMessages(
      { client, authorization: undefined },
      request,
      10,
      'read',
    ).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(NoAnswer);
    let cancelled = 0;
    const call = Object.assign(new Readable({ read: () => undefined }), { cancel: () => (cancelled += 1) });
    const closed = once(call, 'close');
    open(call);
    await closed;
    expect(cancelled).to.equal(1);
  });
});
