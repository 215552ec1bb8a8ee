import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import express from 'express';
import pino from 'pino';
import { listen } from '../http/index.ts';
import { createRateLimits } from './index.ts';
import { answerLevels, levelsWithPeer } from './peers.ts';

const secret = 'one that all processes have';

describe('the levels of rate buckets in the memory of two processes', () => {
  const limits = () => createRateLimits({ logger: pino({ level: 'silent' }), now: () => 0 });
  const [write, read] = [limits(), limits()];
  let url: string;
  let close: () => Promise<void>;
  before(async () => {
    const served = await listen(express().use(answerLevels(write, ['an older one', secret])), 0);
    url = `http://127.0.0.1:${served.port}`;
    close = served.close;
  });
  after(() => close());

  const caller = () => ({ accountId: `acc_${randomUUID()}`, tier: 'team' }) as const;
  const remaining = async (of: ReturnType<typeof caller>, options: object = {}) => {
    const levels = await levelsWithPeer(read, { url, secret, ...options })(of);
    return { read: levels['default:read'].remaining, write: levels['default:write'].remaining };
  };

  it('are those of the process that counted, and asking takes nothing out', async () => {
    const of = caller();
    await write.consume(of, 'default:write');
    await write.consume(of, 'default:write');
    await read.consume(of, 'default:read');
    for (let n = 0; n < 3; n += 1) expect(await remaining(of)).to.deep.equal({ read: 119, write: 58 });
    expect(await remaining(caller())).to.deep.equal({ read: 120, write: 60 });
  });

  it('are the own ones alone while the other process is away', async () => {
    const of = caller();
    await write.consume(of, 'default:write');
    await read.consume(of, 'default:read');
    expect(await remaining(of, { url: 'http://127.0.0.1:1' })).to.deep.equal({ read: 119, write: 60 });
  });

  it('are refused without the secret', async () => {
    const of = caller();
    await write.consume(of, 'default:write');
    expect(await remaining(of, { secret: 'another one' })).to.deep.equal({ read: 120, write: 60 });
    const { status } = await fetch(`${url}/internal/rate-levels?account=${of.accountId}&tier=team`);
    expect(status).to.equal(404);
  });
});
