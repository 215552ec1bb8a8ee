/**
 * How far ahead of its due time the queue learns of an attempt, ms. A million deliveries that wait for an hour are rows of
 * a read model, not jobs in the queue's memory; what is due later than this the sweep hands over before it is due.
 */
export const schedulingWindowMs = 120_000;
