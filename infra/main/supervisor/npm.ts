export const startedByNpm = process.env.npm_lifecycle_event === 'start';

/** Polling interval, in ms. */
const POLL_MS = 500;

/**
 * Calls back if the npm that runs `npm start` has ended without sending a signal, as after `kill -9`: its descendants
 * would otherwise keep running. Never calls back without npm (systemd, a container).
 */
export function onNpmGone(call: () => void): void {
  if (!startedByNpm) return;
  const npm = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    call();
  }, POLL_MS);
  timer.unref();
}
