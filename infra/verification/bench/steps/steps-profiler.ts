import { Session } from 'node:inspector/promises';

const samplingMicros = 500;
let session: Session | undefined;

/**
 * Loaded before a server of the bench: profiles its process from the message `profile` to the next one, which it answers
 * with `{profile}`.
 */
async function toggle(): Promise<void> {
  if (session === undefined) {
    session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: samplingMicros });
    await session.post('Profiler.start');
    process.send?.({ profiling: true });
    return;
  }
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  session = undefined;
  process.send?.({ profile });
}

process.on('message', (message) => {
  if (message === 'profile') void toggle();
});
