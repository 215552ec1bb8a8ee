import { grouped, type Evidence } from './evidence/index.ts';

/** Counts of people's joins, pictures, touches and takeovers, by outcome. */
export function liveFigures({ live, driver }: Pick<Evidence, 'live' | 'driver'>): readonly string[] {
  const { visits, touches, takeovers, holders, use } = live;
  if (visits.length === 0) return [];
  const joins = (as: 'watcher' | 'driver') =>
    counted(
      visits.filter((visit) => visit.as === as),
      ({ outcome = 'open', status }) => (status === undefined ? outcome : `${outcome} ${status}`),
    );
  const pictures = visits.reduce((sum, visit) => sum + visit.pictures, 0);
  const delivered = driver.filter(({ action, type }) => action === 'touch' && type === 'down').length;
  const most = (of: 'viewers' | 'encoders') => Math.max(0, ...use.map((each) => each[of]));
  return [
    `watchers: ${joins('watcher')}; drivers: ${joins('driver')}; ${pictures} pictures, ` +
      `${most('viewers')} viewers and ${most('encoders')} pictures under way at most`,
    `${touches.length} touches: ${delivered} delivered, answered ${counted(touches, answerOf)}; ` +
      `${takeovers.length} takeovers: answered ${counted(takeovers, answerOf)}, ${holders.length} granted`,
  ];
}

const answerOf = ({ answer = 'nothing' }: { readonly answer?: string }): string => answer;

const counted = <T>(items: readonly T[], kindOf: (item: T) => string): string =>
  [...grouped(items, kindOf)].map(([kind, same]) => `${same.length} ${kind}`).join(', ') || 'none';
