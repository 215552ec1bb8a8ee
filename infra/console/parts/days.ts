/** The start of a day, `YYYY-MM-DD`, in the viewer's time zone. An invalid date if the text is no day. */
export const startOfDay = (day: string): Date => new Date(`${day}T00:00`);

/** The end of a day, which is the start of the next: a day of a change of clocks has 23 or 25 hours. */
export function endOfDay(day: string): Date {
  const end = startOfDay(day);
  end.setDate(end.getDate() + 1);
  return end;
}
