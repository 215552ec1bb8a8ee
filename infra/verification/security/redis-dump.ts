import { expect } from 'chai';
import { Redis } from 'ioredis';
import type { TestRedis } from '../testbed/index.ts';

/** Every value in Redis, as bytes. */
export async function dumpOf({ url }: TestRedis): Promise<string> {
  const client = new Redis(url);
  try {
    await client.config('SET', 'rdbcompression', 'no');
    const keys = await client.keys('*');
    expect(keys).not.to.have.length(0);
    const values = await Promise.all(keys.map((key) => client.dumpBuffer(key)));
    return [...keys, ...values.map((value) => value.toString('latin1'))].join('\n');
  } finally {
    client.disconnect();
  }
}
