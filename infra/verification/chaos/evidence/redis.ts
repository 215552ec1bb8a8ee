import { Redis } from 'ioredis';
import { isSuspect } from './secrets.ts';

/** Each key, with its value as DUMP returns it, and hashes also as text, that contains one of the stems. */
export async function dumpRedis(url: string, stems: readonly string[]): Promise<readonly string[]> {
  const redis = new Redis(url);
  try {
    const keys = await redis.keys('*');
    const texts = await Promise.all(
      keys.map(async (key) => {
        const fields = (await redis.type(key)) === 'hash' ? JSON.stringify(await redis.hgetall(key)) : '';
        return `${key} ${await redis.dump(key)} ${fields}`;
      }),
    );
    return texts.filter((text) => isSuspect(text, stems));
  } finally {
    redis.disconnect();
  }
}
