import { gate } from '../../infra/verification/testbed/index.ts';

export const slowUrl = 'http://sim.test/slow';

/** `slowUrl` in simulated browsers: it loads when the test lets it. */
export function slowPage() {
  let next = gate();
  const isSlow = (input: unknown) => (input as { url?: string } | null)?.url === slowUrl;
  return {
    waits: { operate: (input: unknown) => (isSlow(input) ? next.pass() : undefined) },
    asked: () => next.reached,
    comes: () => {
      next.open();
      next = gate();
    },
  };
}
