import { pino } from 'pino';
import { createLifetime, type Lifetime } from '../../main/lifetime.ts';

/** Starts something of several parts. If one of them fails, those before it are ended. */
export async function startWhole<Whole>(start: (lifetime: Lifetime) => Promise<Whole>): Promise<Whole> {
  const lifetime = createLifetime(pino({ level: 'silent' }));
  try {
    return await start(lifetime);
  } catch (error) {
    await lifetime.close();
    throw error;
  }
}
