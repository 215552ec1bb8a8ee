import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The wall clock of all processes of the service. Those of the stores and the harness are unaffected. */
export interface Clock {
  /** Environment of the service. */
  readonly environment: Readonly<Record<string, string>>;
  /** Moves it forwards or back from its current time. */
  jump(ms: number): void;
  /** Its current time in milliseconds since the epoch. */
  now(): number;
  readonly jumps: readonly ClockJump[];
}

export interface ClockJump {
  /** By the harness's clock, in milliseconds since the epoch. */
  readonly at: number;
  readonly ms: number;
}

const preload = fileURLToPath(new URL('./clock-preload.mjs', import.meta.url));

export function createClock(dataDir: string): Clock {
  const file = join(dataDir, 'clock');
  writeFileSync(file, '0');
  const jumps: ClockJump[] = [];
  return {
    environment: { CHAOS_CLOCK: file, NODE_OPTIONS: `--import ${preload}` },
    jumps,
    now: () => Date.now() + jumps.reduce((sum, { ms }) => sum + ms, 0),
    jump: (ms) => {
      jumps.push({ at: Date.now(), ms });
      writeFileSync(`${file}.new`, String(Number(readFileSync(file, 'utf8')) + ms));
      renameSync(`${file}.new`, file);
    },
  };
}
