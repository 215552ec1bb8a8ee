/** Milliseconds after the last answer until a browser counts as idle: what an operation has begun in the page goes on for a while. */
const lingerMs = 1_000;

/** Whether a caller waits for a browser: while any work on it is under way, and for `lingerMs` after it. */
export interface Attention {
  during<Done>(work: () => Promise<Done>): Promise<Done>;
  close(): void;
}

/** Calls `changed` with the new value at each change. It begins as waited for. */
export function payAttention(changed: (isAwaited: boolean) => void): Attention {
  let works = 0;
  let isAwaited = true;
  let timer: NodeJS.Timeout | undefined;
  const become = (to: boolean) => {
    if (to === isAwaited) return;
    isAwaited = to;
    changed(to);
  };
  const settled = () => {
    works -= 1;
    if (works === 0) timer = setTimeout(become, lingerMs, false).unref();
  };
  return {
    during: (work) => {
      works += 1;
      clearTimeout(timer);
      become(true);
      return work().finally(settled);
    },
    close: () => clearTimeout(timer),
  };
}
