import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  readonly signal: AbortSignal;
  /** Called once, with what is missing, when this many milliseconds passed. */
  readonly patienceMs: number;
  readonly onLate: (missing: readonly string[]) => void;
}

const POLL_MS = 100;
const ASK_LIMIT_MS = 5_000;

/** Resolves when every address answers `/readyz` with 200. */
export async function allReady(
  addresses: Readonly<Record<string, string>>,
  options: WaitOptions,
): Promise<void> {
  const late = performance.now() + options.patienceMs;
  let told = false;
  for (;;) {
    options.signal.throwIfAborted();
    const missing = await notReady(addresses);
    if (missing.length === 0) return;
    if (!told && performance.now() > late) {
      told = true;
      options.onLate(missing);
    }
    await delay(POLL_MS);
  }
}

async function notReady(addresses: Readonly<Record<string, string>>): Promise<string[]> {
  const answers = await Promise.all(
    Object.entries(addresses).map(async ([name, address]) => {
      const complaint = await complaintOf(address);
      return complaint === null ? null : `${name}: ${complaint}`;
    }),
  );
  return answers.filter((answer) => answer !== null);
}

/** Null when ready, else what the process says is failing. */
async function complaintOf(address: string): Promise<string | null> {
  try {
    const response = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(ASK_LIMIT_MS) });
    const { failing } = (await response.json()) as { failing?: Record<string, string> };
    if (response.ok) return null;
    return Object.entries(failing ?? {})
      .map(([part, complaint]) => `${part} (${complaint})`)
      .join(', ');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
