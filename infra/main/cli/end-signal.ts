/** Aborted by the first signal that asks this process to end. Such signals do not end it by themselves any more. */
export function endSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  return stop.signal;
}
