import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The wall clock of every process of the service; that of the stores and of the harness stays right. */
export interface Clock {
  /** What the service must be started with. */
  readonly environment: Readonly<Record<string, string>>;
  /** Moves it, forwards or back, from where it is. */
  jump(ms: number): void;
  /** What it shows, milliseconds since the epoch. */
  now(): number;
  readonly jumps: readonly ClockJump[];
}

export interface ClockJump {
  /** By the harness's clock, milliseconds since the epoch. */
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
