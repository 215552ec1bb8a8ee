export const startedByNpm = process.env.npm_lifecycle_event === 'start';

/** How soon it is noticed, ms. */
const POLL_MS = 500;

/**
 * Calls once the npm that runs `npm start` is gone without a signal to us, as after `kill -9`: its descendants would
 * stay behind unnoticed. Without npm (systemd, a container) it never calls.
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
