import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { tempDir } from '../../verification/testbed/index.ts';
import { alerts, type Series } from './alerts.ts';
import { boards } from './panels.ts';
import { observabilityFiles } from './files.ts';
import { groups } from './rules.ts';
import { burns, slos } from './slos.ts';

const here = new URL('.', import.meta.url).pathname;
const incidents = readFileSync(new URL('../../../docs/incidents.md', import.meta.url), 'utf8');
const names = [...alerts.map(({ name }) => name), ...burns.map(({ alert }) => alert)];

/** Whether alerts fire for these series after some time. */
interface Case {
  readonly name: string;
  readonly series: Series;
  readonly at: string;
  readonly slo?: string;
  readonly fires: Readonly<Record<string, boolean>>;
}

/** All alerts together, over 2 hours in steps of a minute: their series have different metrics. */
const promises = (['firing', 'quiet'] as const).map((state): Case => ({
  name: `all are ${state}`,
  series: Object.assign({}, ...alerts.map((alert) => alert[state])) as Series,
  at: '115m',
  fires: Object.fromEntries(alerts.map(({ name }) => [name, state === 'firing'])),
}));

const available = 'service_gateway_requests_total{side="read",status="200"}';
const failed = 'service_gateway_requests_total{side="read",status="503"}';
const created = 'route="sessions.create",status="201"';
const http = 'service_http_request_duration_seconds';
const waits = 'service_webhook_first_attempt_wait_seconds';
/** Numbers of good and bad requests in each step. */
const requests = (good: number, bad: number, steps: number): Series => ({
  [available]: `0+${good}x${steps}`,
  [failed]: `0+${bad}x${steps}`,
});

const burning = (slo: string, series: Series): Case => ({
  ...{ name: `${slo} burns fast`, series, at: '115m', slo, fires: { BudgetBurnsFast: true } },
});
const availability = (name: string, series: Series, at: string, fired: readonly string[]): Case => ({
  ...{ name, series, at, slo: 'availability' },
  fires: Object.fromEntries(burns.map(({ alert }) => [alert, fired.includes(alert)])),
});

/** Cases of hours, in steps of a minute. */
const budgets: readonly Case[] = [
  availability('2 % of errors for two hours', requests(980, 20, 120), '115m', [
    'BudgetBurnsFast',
    'BudgetBurns',
    'BudgetIsSpent',
  ]),
  availability('0.8 % of errors for four hours', requests(992, 8, 240), '235m', [
    'BudgetBurns',
    'BudgetIsSpent',
  ]),
  availability(
    'errors that ended an hour ago',
    { [available]: '0+1000x200', [failed]: '0+50x60 3000+0x140' },
    '130m',
    ['BudgetIsSpent'],
  ),
  availability(
    'one request in ten minutes, which fails',
    { [failed]: '0 0+0x9 1+0x9 2+0x9 3+0x9 4+0x9 5+0x9 6+0x90' },
    '65m',
    [],
  ),
  availability(
    'input that is refused as always, 120 times a second',
    {
      [available]: '0+1000x120',
      'service_gateway_requests_total{side="write",status="heartbeat"}': '0+7200x120',
    },
    '115m',
    [],
  ),
  availability(
    '2 % of errors beside input that is refused as always',
    {
      ...requests(980, 20, 120),
      'service_gateway_requests_total{side="write",status="heartbeat"}': '0+7200x120',
    },
    '115m',
    ['BudgetBurnsFast', 'BudgetBurns', 'BudgetIsSpent'],
  ),
  burning('create', {
    [`${http}_count{${created}}`]: '0+10x120',
    [`${http}_bucket{${created},le="2.5"}`]: '0+1x120',
  }),
  burning('turns', {
    'service_agent_turns_total{end="settled"}': '0+8x120',
    'service_agent_turns_total{end="failed"}': '0+2x120',
    'service_agent_turns_total{end="refused"}': '0+100x120',
  }),
  {
    ...burning('turns', { 'service_agent_turns_total{end="refused"}': '0+10x120' }),
    name: 'turns that their callers have to mend',
    fires: { BudgetBurnsFast: false },
  },
  // Before and since version 3 of Prometheus.
  ...['30', '30.0'].map((bound) =>
    burning('first_delivery', {
      [`${waits}_count`]: '0+100x120',
      [`${waits}_bucket{le="${bound}"}`]: '0+90x120',
    }),
  ),
  burning('projection', { service_projection_unapplied_seconds: '0+0x100 60+0x20' }),
];

/** Cases of days, in steps of ten minutes. */
const days: readonly Case[] = [
  availability('0.2 % of errors for four days', requests(9_980, 20, 576), '5700m', ['BudgetIsSpent']),
  availability('0.05 % of errors for four days', requests(9_995, 5, 576), '5700m', []),
];

const failedMails = { 'service_mails_total{what="attempt_failed"}': '0+1x30' };

/** Cases of hours, in steps of twenty minutes. */
const fewMails: readonly Case[] = [
  {
    ...{ name: 'three failed attempts an hour, and no mail sent', at: '480m', fires: { MailsFail: true } },
    series: { ...failedMails, 'service_mails_total{what="sent"}': '0+0x30' },
  },
  {
    ...{ name: 'three failed attempts an hour, and a mail sent', at: '480m', fires: { MailsFail: false } },
    series: { ...failedMails, 'service_mails_total{what="sent"}': '0+0x5 1+0x25' },
  },
];

const testOf = ({ name, series, at, slo, fires }: Case, step: string): string[] => {
  const about = slo === undefined ? '' : `,slo="${slo}"`;
  return [
    `  - name: ${JSON.stringify(name)}`,
    `    interval: ${step}`,
    '    input_series:',
    ...Object.entries(series).flatMap(([each, values]) => [
      `      - series: ${JSON.stringify(each)}`,
      `        values: ${JSON.stringify(values)}`,
    ]),
    '    promql_expr_test:',
    ...Object.entries(fires).flatMap(([alert, isFiring]) => [
      `      - expr: ${JSON.stringify(`group by (alertname) (ALERTS{alertname="${alert}",alertstate="firing"${about}})`)}`,
      `        eval_time: ${at}`,
      `        exp_samples: ${isFiring ? JSON.stringify([{ labels: `{alertname="${alert}"}`, value: 1 }]) : '[]'}`,
    ]),
  ];
};

const textOf = (name: string): string => readFileSync(join(here, name), 'utf8');
const read = (name: string): unknown => parse(textOf(name));

interface Route {
  readonly receiver: string;
  readonly matchers: readonly string[];
  readonly mute_time_intervals?: readonly string[];
}

interface Interval {
  readonly name: string;
  readonly time_intervals: readonly {
    readonly times: readonly { readonly start_time: string; readonly end_time: string }[];
    readonly location: string;
  }[];
}

const alertmanager = () =>
  read('alertmanager.yaml') as {
    readonly route: { readonly receiver: string; readonly routes: readonly Route[] };
    readonly time_intervals: readonly Interval[];
    readonly receivers: readonly { readonly name: string }[];
  };

/** The alerts that a route names. */
const namesIn = ({ matchers }: Route): readonly string[] =>
  /^alertname=~?"([\w|]+)"$/.exec(matchers.join())?.[1]?.split('|') ?? [];

/** Output of promtool, and whether it found no error. */
function promtool(...args: readonly string[]): string {
  try {
    return execFileSync('promtool', args, { cwd: here, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${stdout}${stderr}`, { cause: error });
  }
}

function judge(cases: readonly Case[], step = '1m'): string {
  const folder = tempDir('rules');
  copyFileSync(join(here, 'rules.yaml'), join(folder, 'rules.yaml'));
  const tests = join(folder, 'tests.yaml');
  const head = ['rule_files: [rules.yaml]', `evaluation_interval: ${step}`, 'tests:'];
  writeFileSync(tests, [...head, ...cases.flatMap((each) => testOf(each, step)), ''].join('\n'));
  return promtool('test', 'rules', tests);
}

describe('the alert rules and dashboards', function () {
  this.timeout(120_000);

  it('are generated from their tables: npm run docs', () => {
    const files = observabilityFiles();
    for (const [name, text] of Object.entries(files))
      expect(readFileSync(join(here, name), 'utf8'), name).to.equal(text);
    const kept = readdirSync(join(here, 'dashboards')).map((name) => `dashboards/${name}`);
    expect(Object.keys(files)).to.include.members(kept);
  });

  it('are accepted by Prometheus', () => {
    expect(promtool('check', 'rules', 'rules.yaml')).to.include('SUCCESS');
    expect(promtool('check', 'config', '--syntax-only', 'prometheus.yaml')).to.include('SUCCESS');
  });

  it('have a receiver for each severity', () => {
    const { alerting } = read('prometheus.yaml') as { alerting: { alertmanagers: readonly unknown[] } };
    expect(alerting.alertmanagers).to.have.length(1);
    const { route, receivers } = alertmanager();
    const told = route.routes.flatMap((each) => namesIn(each).map((name) => [name, each.receiver]));
    for (const [name, receiver] of told)
      expect(receiver === 'on-call', name).to.equal(
        alerts.find((alert) => alert.name === name)?.severity === 'page',
      );
    expect(route.routes.at(-1)?.matchers).to.deep.equal(['severity="page"']);
    const used = new Set([route, ...route.routes].map(({ receiver }) => receiver));
    expect(receivers.map(({ name }) => name)).to.have.members([...used]);
    expect(new Set(alerts.map(({ severity }) => severity))).to.deep.equal(new Set(['page', 'ticket']));
  });

  it('tell nobody what stops for the nightly backup, for a while, and all else', () => {
    const { route, time_intervals } = alertmanager();
    const [, backupAt] =
      /^OnCalendar=\S+ (\d\d:\d\d)$/m.exec(textOf('../systemd/service-backup.timer')) ?? [];
    const [{ times, location } = { times: [], location: '' }] = time_intervals[0]?.time_intervals ?? [];
    const [{ start_time: from, end_time: to } = { start_time: '', end_time: '' }] = times;
    expect([from, location]).to.deep.equal([backupAt, 'Local']);
    const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
    const muted = route.routes.filter((each) => each.mute_time_intervals?.[0] === time_intervals[0]?.name);
    expect(route.routes.slice(0, muted.length)).to.deep.equal(muted);
    const stopped: Case = {
      name: 'everything is stopped',
      series: { 'up{job="service",instance="a"}': '0+0x60' },
      at: `${minutesOf(to) - minutesOf(from)}m`,
      fires: Object.fromEntries(names.map((name) => [name, muted.flatMap(namesIn).includes(name)])),
    };
    expect(judge([stopped])).to.include('SUCCESS');
  });

  it('fire where an invariant is broken, and are quiet where it holds', () => {
    expect(judge(promises)).to.include('SUCCESS');
  });

  it('page where an error budget is spent 14.4 and 6 times as fast as allowed, and never for a handful of requests', () => {
    expect(judge(budgets)).to.include('SUCCESS');
  });

  it('write a ticket where it has been spent too fast for three days', () => {
    expect(judge(days, '10m')).to.include('SUCCESS');
  });

  it('write a ticket where few mails are written and none is accepted', () => {
    expect(judge(fewMails, '20m')).to.include('SUCCESS');
  });

  it('would fail this test if they did not fire', () => {
    const wrong = { name: 'a process is down', series: { 'up{job="service"}': '0+0x10' }, at: '10m' };
    expect(() => judge([{ ...wrong, fires: { ProcessDown: false } }])).to.throw(/FAILED/);
  });

  it('have a section of docs/incidents.md for each alert, and no other section', () => {
    const headed = [...incidents.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    expect(headed).to.have.members(names);
    for (const { rules } of groups)
      for (const { annotations } of rules)
        if (annotations !== undefined)
          expect(names.map((name) => `docs/incidents.md#${name.toLowerCase()}`)).to.include(
            annotations.runbook,
          );
  });

  it('have one objective of each name, and one panel of each title on a dashboard', () => {
    for (const titles of [
      slos.map(({ name }) => name),
      ...Object.values(boards).map((panels) => panels.map(({ title }) => title)),
    ])
      expect(new Set(titles).size).to.equal(titles.length);
  });
});
