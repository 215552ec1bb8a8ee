import type { Service, SessionHandle } from '../../contracts/client/index.ts';

type Open = Pick<SessionHandle, 'id' | 'status' | 'created_at' | 'label' | 'profile_id'>;

/** The account's open browsers, among its newest 100 sessions. */
export async function openBrowsers(
  service: Pick<Service, 'sessions'>,
  signal: AbortSignal,
): Promise<readonly Open[]> {
  for await (const { data } of service.sessions.list({ limit: 100, signal }).byPage())
    return data.filter(({ status }) => status !== 'destroyed' && status !== 'errored');
  return [];
}

export const ageSeconds = ({ created_at: created }: Pick<Open, 'created_at'>): number =>
  Math.max(0, Math.round((Date.now() - Date.parse(created)) / 1000));

const ageOf = (open: Open): string => {
  const seconds = ageSeconds(open);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
};

/** Maximum browsers named in every answer; all are in the list. */
const named = 3;

export function openLine(open: readonly Open[]): string {
  if (open.length === 0) return 'No browser is open.';
  const some = open.slice(0, named).map((each) => `${each.id} (${each.status}, ${ageOf(each)})`);
  const left = open.length - some.length;
  return `Open: ${some.join(', ')}${left === 0 ? '' : ` and ${left} more: list_browsers`}.`;
}
