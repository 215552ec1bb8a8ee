import { readFileSync } from 'node:fs';
import { setInterval } from 'node:timers';

/**
 * Loaded into each process of the service: shifts its wall clock by the milliseconds in the file named by CHAOS_CLOCK.
 */
const EVERY_MS = 50;
const RealDate = Date;
let offset = 0;

const look = () => {
  try {
    offset = Number(readFileSync(process.env.CHAOS_CLOCK, 'utf8'));
  } catch {
    // Without the file there is no shift.
  }
};
look();
setInterval(look, EVERY_MS).unref();

globalThis.Date = class Date extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + offset);
    else super(...parts);
  }

  static now() {
    return RealDate.now() + offset;
  }
};
