import { expect } from 'chai';
import fc from 'fast-check';
import { dayMs } from '../../contracts/durations.ts';
import type { IncidentEvent } from '../../contracts/events/incident.ts';
import type { ProbeEvent } from '../../contracts/events/probe.ts';
import { toId } from '../../contracts/ids.ts';
import { statusComponentIds, type IncidentImpact, type StatusComponent } from '../../contracts/status.ts';
import { emptyBoard, foldStatus, statusAt, uptimeAt, type StatusBoard } from './board.ts';

const today = new Date('2026-06-30T12:00:00.000Z');
const daysAgo = (days: number): string => new Date(today.getTime() - days * dayMs).toISOString();
const fold = (events: readonly (IncidentEvent | ProbeEvent)[]): StatusBoard =>
  events.reduce(foldStatus, emptyBoard);
const shown = (...events: readonly (IncidentEvent | ProbeEvent)[]) =>
  statusAt(fold(events), { at: today, updatedAt: today.toISOString(), isStale: false });

const incidentId = toId('incident', '0197f1a0-0000-7000-8000-000000000001');
const laterId = toId('incident', '0197f1a0-0000-7000-8000-000000000002');
const opened = (
  impact: IncidentImpact,
  components: StatusComponent[],
  at = daysAgo(0),
  id = incidentId,
): IncidentEvent => ({
  type: 'IncidentOpened',
  data: { incidentId: id, title: 'Late', impact, components, message: 'Looking.', at },
});
const resolved = (at = daysAgo(0), id = incidentId): IncidentEvent => ({
  type: 'IncidentResolved',
  data: { incidentId: id, message: 'Over.', at },
});
const failed = (component: StatusComponent): ProbeEvent => ({
  type: 'ComponentFailed',
  data: { component, error: 'It is away.', at: daysAgo(0) },
});
const recovered = (component: StatusComponent): ProbeEvent => ({
  type: 'ComponentRecovered',
  data: { component, at: daysAgo(0) },
});
const counted = (component: StatusComponent, from: string, probes: number, failures: number): ProbeEvent => ({
  type: 'ProbesCounted',
  data: { component, from, probes, failures, at: from },
});
const statusOf = (component: StatusComponent, ...events: readonly (IncidentEvent | ProbeEvent)[]) =>
  shown(...events).components.find(({ id }) => id === component)?.status;

describe('the public status', () => {
  it('is operational until something is known to fail', () => {
    const { status, components, incidents } = shown();
    expect(status).to.deep.equal({ indicator: 'none', description: 'All systems operational' });
    expect(components.map(({ status: each }) => each)).to.deep.equal(
      statusComponentIds.map(() => 'operational'),
    );
    expect(incidents).to.deep.equal([]);
  });

  const impacts = [
    ['minor', 'degraded_performance'],
    ['major', 'partial_outage'],
    ['critical', 'major_outage'],
  ] as const;
  for (const [impact, expected] of impacts) {
    it(`calls the components of a ${impact} incident ${expected} until it is resolved`, () => {
      expect(statusOf('webhooks', opened(impact, ['webhooks']))).to.equal(expected);
      expect(statusOf('api', opened(impact, ['webhooks']))).to.equal('operational');
      expect(shown(opened(impact, ['webhooks'])).status.indicator).to.equal(impact);
      expect(statusOf('webhooks', opened(impact, ['webhooks']), resolved())).to.equal('operational');
      expect(shown(opened(impact, ['webhooks']), resolved()).status.indicator).to.equal('none');
    });
  }

  it('calls a component out whose probes fail, whatever milder incident there is of it, until they succeed', () => {
    expect(statusOf('api', failed('api'), opened('minor', ['api']))).to.equal('major_outage');
    expect(statusOf('api', failed('api'), recovered('api'))).to.equal('operational');
    expect(shown(failed('api')).status.indicator).to.equal('major');
    expect(shown(...statusComponentIds.map(failed)).status.indicator).to.equal('critical');
  });

  it('shows an incident for 14 days after it was resolved, and one that goes on for as long as it does', () => {
    const idsOf = (...events: readonly IncidentEvent[]) => shown(...events).incidents.map(({ id }) => id);
    expect(idsOf(opened('minor', ['api'], daysAgo(60)))).to.deep.equal([incidentId]);
    expect(idsOf(opened('minor', ['api'], daysAgo(60)), resolved(daysAgo(13)))).to.deep.equal([incidentId]);
    expect(idsOf(opened('minor', ['api'], daysAgo(60)), resolved(daysAgo(14)))).to.deep.equal([]);
  });

  it('shows an incident that went on for months after its end too, also once another one was opened', () => {
    const long = [opened('minor', ['api'], daysAgo(200)), resolved(daysAgo(1))];
    const ids = shown(...long, opened('minor', ['api'], daysAgo(0), laterId)).incidents.map(({ id }) => id);
    expect(ids).to.deep.equal([laterId, incidentId]);
  });

  it('shows every open incident, and of the resolved ones as many as there is room for, the newest first', () => {
    const idAt = (index: number) =>
      toId('incident', `0197f1a0-0000-7000-8000-${String(index).padStart(12, '0')}`);
    const from = (first: number, count: number, isResolved: boolean): IncidentEvent[] =>
      Array.from({ length: count }, (_, index) => idAt(first + index)).flatMap((id) => [
        opened('minor', ['api'], daysAgo(1), id),
        ...(isResolved ? [resolved(daysAgo(0), id)] : []),
      ]);
    const indexesOf = (...events: readonly IncidentEvent[]) =>
      shown(...events).incidents.map(({ id }) => Number(id.slice(-12)));
    const newestFirst = (first: number, last: number) =>
      Array.from({ length: first - last + 1 }, (_, index) => first - index);
    expect(indexesOf(...from(1, 1, false), ...from(2, 60, true))).to.deep.equal([...newestFirst(61, 13), 1]);
    expect(indexesOf(...from(1, 5, true), ...from(6, 60, false))).to.deep.equal(newestFirst(65, 6));
  });

  it('forgets an incident that was resolved before the longest window once another one is opened', () => {
    const old = [opened('minor', ['api'], daysAgo(200)), resolved(daysAgo(92))];
    const { incidents } = fold([...old, opened('minor', ['api'], daysAgo(0), laterId)]);
    expect(incidents.map(({ id }) => id)).to.deep.equal([laterId]);
  });

  it('has the updates of an incident, the newest first', () => {
    const [incident] = shown(opened('minor', ['api']), resolved()).incidents;
    expect(incident?.updates.map(({ status, message }) => [status, message])).to.deep.equal([
      ['resolved', 'Over.'],
      ['investigating', 'Looking.'],
    ]);
  });

  it('says since when nothing newer is known', () => {
    const updatedAt = '2026-06-30T11:00:00.000Z';
    const { status } = statusAt(emptyBoard, { at: today, updatedAt, isStale: true });
    expect(status.description).to.equal(`All systems operational, as last known at ${updatedAt}`);
  });
});

describe('uptime', () => {
  const component = fc.constantFrom(...statusComponentIds);
  const hour = fc
    .record({ component, days: fc.integer({ min: 0, max: 80 }), probes: fc.integer({ min: 1, max: 120 }) })
    .chain((each) => fc.record({ ...asConstants(each), failures: fc.integer({ min: 0, max: each.probes }) }));
  const asConstants = <T extends object>(of: T) =>
    Object.fromEntries(Object.entries(of).map(([key, value]) => [key, fc.constant(value as unknown)])) as {
      [Key in keyof T]: fc.Arbitrary<T[Key]>;
    };
  const hours = fc.array(hour, { maxLength: 60 });
  const eventsOf = (
    all: readonly { component: StatusComponent; days: number; probes: number; failures: number }[],
  ) =>
    [...all]
      .sort((one, other) => other.days - one.days)
      .map(({ component: of, days, probes, failures }) => counted(of, daysAgo(days), probes, failures));
  /** In integers, rounded down to thousandths. */
  const percentOf = (successes: number, probes: number) =>
    Number((BigInt(successes) * 100_000n) / BigInt(probes)) / 1000;
  const windowsOf = (events: readonly ProbeEvent[]) => uptimeAt(fold(events), today).windows;

  it('is the share of probes that succeeded within the window, whatever hours they were counted in', () => {
    fc.assert(
      fc.property(hours, (all) => {
        for (const { days, uptime_percent, probes } of windowsOf(eventsOf(all))) {
          const within = all.filter((each) => each.days < days);
          const total = within.reduce((sum, each) => sum + each.probes, 0);
          const failures = within.reduce((sum, each) => sum + each.failures, 0);
          expect(probes).to.equal(total);
          expect(uptime_percent).to.equal(total === 0 ? 100 : percentOf(total - failures, total));
        }
      }),
    );
  });

  it('is given for each of the last 90 days, which sum up to the longest window', () => {
    fc.assert(
      fc.property(hours, (all) => {
        const { days, windows } = uptimeAt(fold(eventsOf(all)), today);
        expect(days.map(({ date }) => date)).to.deep.equal(
          Array.from({ length: 90 }, (_, index) => daysAgo(89 - index).slice(0, 10)),
        );
        expect(days.reduce((sum, { probes }) => sum + probes, 0)).to.equal(windows[1]?.probes);
      }),
    );
    const { days } = uptimeAt(
      fold([counted('api', daysAgo(1), 10, 0), counted('webhooks', daysAgo(1), 10, 1)]),
      today,
    );
    expect(days.slice(-3)).to.deep.equal([
      { date: '2026-06-28', uptime_percent: 100, probes: 0 },
      { date: '2026-06-29', uptime_percent: 95, probes: 20 },
      { date: '2026-06-30', uptime_percent: 100, probes: 0 },
    ]);
  });

  it('is never called better than it was', () => {
    const [month] = windowsOf([counted('api', daysAgo(0), 1_000_000, 1)]);
    expect(month?.uptime_percent).to.equal(99.999);
  });

  it('is exact where nothing has to be rounded', () => {
    const [month] = windowsOf([counted('api', daysAgo(0), 40, 17)]);
    expect(month?.uptime_percent).to.equal(57.5);
  });

  it('is the same however the fold is broken off and gone on with', () => {
    fc.assert(
      fc.property(hours, fc.nat(), (all, at) => {
        const events = eventsOf(all);
        const cut = at % (events.length + 1);
        const kept = JSON.parse(JSON.stringify(fold(events.slice(0, cut)))) as StatusBoard;
        expect(events.slice(cut).reduce(foldStatus, kept)).to.deep.equal(fold(events));
      }),
    );
  });

  it('counts the incidents that were opened within the window', () => {
    const count = (at: string) =>
      uptimeAt(fold([opened('minor', ['api'], at)]), today).windows.map(({ incidents }) => incidents);
    expect(count(daysAgo(29))).to.deep.equal([1, 1]);
    expect(count(daysAgo(31))).to.deep.equal([0, 1]);
    expect(count(daysAgo(91))).to.deep.equal([0, 0]);
  });
});
