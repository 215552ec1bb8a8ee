import { Redis } from 'ioredis';

/** Every key with its whole value, as the server dumps it, and what a hash holds as text. */
export async function dumpRedis(url: string): Promise<readonly string[]> {
  const redis = new Redis(url);
  try {
    const keys = await redis.keys('*');
    return await Promise.all(
      keys.map(async (key) => {
        const dumped = await redis.dumpBuffer(key);
        const fields = (await redis.type(key)) === 'hash' ? JSON.stringify(await redis.hgetall(key)) : '';
        return `${key} ${dumped.toString('latin1')} ${fields}`;
      }),
    );
  } finally {
    redis.disconnect();
  }
}
