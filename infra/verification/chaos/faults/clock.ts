import { hourMs } from '../../../../contracts/durations.ts';
import { atOnce, type Fault } from './fault.ts';

/** The clock is not set back at the end: the service would wait that long for what was due. */
const jump = (name: string, ms: number, expected: string): Fault => ({
  name,
  expected,
  weight: 1,
  lasts: [0, 0],
  inject: ({ clock }) => {
    clock.jump(ms);
    return atOnce;
  },
});

export const clockFaults: readonly Fault[] = [
  jump(
    'clock an hour ahead',
    hourMs,
    'what was due fires, once; what a lease held is given up and not taken again by who held it',
  ),
  jump('clock two seconds back', -2_000, 'what is due fires as much later; nothing fires twice'),
];
