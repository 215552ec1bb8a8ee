/** Shares of operations or launches, from 0 to 1, that go wrong, drawn from `seed`: the same run has the same faults. */
export interface SimulatedFaults {
  readonly seed?: number;
  readonly launchFailure?: number;
  /** The browser dies under an operation. */
  readonly crash?: number;
  /** An operation never answers. */
  readonly hang?: number;
}

/** Milliseconds each kind of call takes. */
export interface SimulatedLatencies {
  readonly launchMs?: number;
  readonly operateMs?: number;
  readonly closeMs?: number;
}

/** The next draw of each fault. */
export interface FaultPlan {
  launchFails(): boolean;
  operation(): 'none' | 'crash' | 'hang';
}

export function planFaults({ seed = 1, launchFailure = 0, crash = 0, hang = 0 }: SimulatedFaults): FaultPlan {
  const draw = uniform(seed);
  return {
    launchFails: () => draw() < launchFailure,
    operation: () => {
      const drawn = draw();
      if (drawn < crash) return 'crash';
      return drawn < crash + hang ? 'hang' : 'none';
    },
  };
}

/** Mulberry32: 32 bits of state, uniform on [0, 1). */
export function uniform(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
