import { timeOf as timeAt } from '../../infra/http/time.ts';

/** A time of the query; null when it is not given. */
export const timeOf = (name: string, text: string | undefined): Date | null =>
  text === undefined ? null : timeAt(`/query/${name}`, text);
