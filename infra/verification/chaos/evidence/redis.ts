import { Redis } from 'ioredis';

/** Every key with its value as DUMP returns it, and hashes also as text. */
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
