/** The calendar month of a time, in UTC: `YYYY-MM`. */
export const monthOf = (time: string): string => new Date(time).toISOString().slice(0, 7);

/** Start of a calendar month and of the next one, ISO 8601. */
export function boundsOfMonth(month: string): { readonly start: string; readonly end: string } {
  const start = new Date(`${month}-01T00:00:00.000Z`);
  const end = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1);
  return { start: start.toISOString(), end: new Date(end).toISOString() };
}
