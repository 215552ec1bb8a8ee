import type { Service, SessionHandle } from '../../contracts/client/index.ts';

type Open = Pick<SessionHandle, 'id' | 'status' | 'created_at' | 'label' | 'profile_id'>;

/** Number of an account's newest sessions among which open browsers are found. */
export const searched = 100;

export interface OpenBrowsers {
  readonly open: readonly Open[];
  /** False if the account has older sessions, which were not searched. */
  readonly isWhole: boolean;
}

/** The account's open browsers, among its newest sessions. */
export async function openBrowsers(
  service: Pick<Service, 'sessions'>,
  signal: AbortSignal,
): Promise<OpenBrowsers> {
  for await (const { data, nextCursor } of service.sessions.list({ limit: searched, signal }).byPage()) {
    const open = data.filter(({ status }) => status !== 'destroyed' && status !== 'errored');
    return { open, isWhole: nextCursor === null };
  }
  return { open: [], isWhole: true };
}

export const ageSeconds = ({ created_at: created }: Pick<Open, 'created_at'>): number =>
  Math.max(0, Math.round((Date.now() - Date.parse(created)) / 1000));

const ageOf = (open: Open): string => {
  const seconds = ageSeconds(open);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
};

/** Maximum browsers named in every answer; all are in the list. */
const named = 3;

export function openLine({ open, isWhole }: OpenBrowsers): string {
  if (open.length === 0)
    return isWhole ? 'No browser is open.' : `None of the newest ${searched} browsers is open.`;
  const some = open.slice(0, named).map((each) => `${each.id} (${each.status}, ${ageOf(each)})`);
  const left = open.length - some.length;
  return `Open: ${some.join(', ')}${left === 0 ? '' : ` and ${left} more: list_browsers`}.`;
}
