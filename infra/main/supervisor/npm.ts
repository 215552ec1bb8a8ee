export const startedByNpm = process.env.npm_lifecycle_event === 'start';

/** How soon it is noticed, ms. */
const POLL_MS = 500;

/**
 * Calls once the npm that runs `npm start` is gone without having said so, as after `kill -9`: what it started would stay
 * behind with nobody who knows of it. Whoever starts us without npm (systemd, a container) may go as it likes.
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
