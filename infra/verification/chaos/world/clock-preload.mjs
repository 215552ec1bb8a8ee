import { readFileSync } from 'node:fs';
import { setInterval } from 'node:timers';

/** Loaded before a process of the service: its wall clock is off by the milliseconds that the file named by CHAOS_CLOCK holds. */
const EVERY_MS = 50;
const RealDate = Date;
let offset = 0;

const look = () => {
  try {
    offset = Number(readFileSync(process.env.CHAOS_CLOCK, 'utf8'));
  } catch {
    // No file yet: the clock is right.
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
