import { Metadata, status } from '@grpc/grpc-js';
import { ServerDuplexStreamImpl } from '@grpc/grpc-js/build/src/server-call.js';
import { expect } from 'chai';
import { until } from '../../verification/testbed/index.ts';
import { serveBatchAppend } from './batch-append-call.ts';
import type { BatchAppendMessage } from './batch-append-message.ts';
import { noFaults } from './faults.ts';

const appendTo = (stream: string): BatchAppendMessage => ({
  correlationId: Buffer.from(stream),
  options: { stream, expected: 'any', deadline: undefined },
  events: [],
  isFinal: true,
});

describe('the call of many appends', () => {
  it('ends with its error even if an answer is being written and others are pending', async () => {
    const writes: (() => void)[] = [];
    const ended: status[] = [];
    const transport = {
      startRead: () => undefined,
      sendMessage: (_bundle: unknown, written: () => void) => void writes.push(written),
      sendStatus: ({ code }: { code: status }) => void ended.push(code),
    };
    const call = new ServerDuplexStreamImpl<BatchAppendMessage, readonly Buffer[]>(
      '/append',
      transport as unknown as ConstructorParameters<typeof ServerDuplexStreamImpl>[1],
      new Metadata(),
    );
    const faults = noFaults();
    let stored = 0;
    const write = async () => ({ kind: 'written', revision: 0, position: (stored += 1) }) as const;
    serveBatchAppend({ writer: { write }, faults, endpoint: { host: '127.0.0.1', port: 1 } }, call);

    call.push(appendTo('s-1'));
    await until(() => writes.length === 1);
    faults.notLeader = 1;
    call.push(appendTo('s-2'));
    call.push(appendTo('s-3'));
    await until(() => stored === 2);
    await new Promise(setImmediate);
    writes[0]?.();
    await until(() => ended.length > 0);
    expect(ended).to.deep.equal([status.NOT_FOUND]);
  });
});
