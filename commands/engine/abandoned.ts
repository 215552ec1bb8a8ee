/** Lease of a reservation without its resource in milliseconds; after it the reserving process counts as dead. */
const reservationLeaseMs = 60_000;

/** True if the reservation is older than its lease: if its resource does not exist, the request that made it has died. */
export const isAbandoned = (since: string, now: Date): boolean =>
  Date.parse(since) + reservationLeaseMs <= now.getTime();
