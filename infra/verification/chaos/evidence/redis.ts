import { Redis } from 'ioredis';

/** Every key with its whole value, as the server dumps it, and what a hash holds as text. */
export async function dumpRedis(url: string): Promise<readonly string[]> {
  const redis = new Redis(url);
  try {
    const keys = await redis.keys('*');
    return await Promise.all(
      keys.map(async (key) => {
        const fields = (await redis.type(key)) === 'hash' ? JSON.stringify(await redis.hgetall(key)) : '';
        return `${key} ${await redis.dump(key)} ${fields}`;
      }),
    );
  } finally {
    redis.disconnect();
  }
}
