import { alerts, type Alert } from './alerts.ts';
import { behindSeconds, burns, slos, windows, type Burn, type Slo } from './slos.ts';

export interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface Group {
  readonly name: string;
  readonly interval: string;
  readonly rules: readonly Rule[];
}

/** The ratio of errors in a window. */
export const errorsOf = ({ name }: Pick<Slo, 'name'>, window: string): string =>
  `service:slo_errors:ratio_rate${window}{slo="${name}"}`;

const runbook = (name: string): string => `docs/incidents.md#${name.toLowerCase()}`;

/** Records the ratio of errors in each window. */
const recorded = slos.flatMap((slo) =>
  windows.map((window): Rule => ({
    record: `service:slo_errors:ratio_rate${window}`,
    expr: `${slo.bad(window)} / (${slo.total(window)} > 0)`,
    labels: { slo: slo.name },
  })),
);

function burnRule(slo: Slo, burn: Burn): Rule {
  const { alert, times, long, short, severity, spends } = burn;
  const limit = Number((times * (1 - slo.objective)).toPrecision(6));
  const enough =
    slo.floor === null ? [] : [`on () (${slo.total(long)} * ${secondsIn(long)} >= ${slo.floor})`];
  const burning = [`(${errorsOf(slo, long)} > ${limit})`, `(${errorsOf(slo, short)} > ${limit})`];
  return {
    alert,
    expr: [...burning, ...enough].join(' and '),
    labels: { severity, slo: slo.name },
    annotations: {
      summary: `${slo.title}: the error budget is spent ${times} times as fast as allowed (${spends}).`,
      runbook: `docs/incidents.md#${alert.toLowerCase()}`,
    },
  };
}

const units: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 };
const secondsIn = (window: string): number =>
  Number(window.slice(0, -1)) * (units[window.slice(-1)] ?? Number.NaN);

const alertRule = ({ name, expr, for: lasting, severity, summary }: Alert): Rule => ({
  alert: name,
  expr,
  ...(lasting !== '0m' && { for: lasting }),
  labels: { severity },
  annotations: { summary, runbook: runbook(name) },
});

export const groups: readonly Group[] = [
  {
    name: 'service-slo',
    interval: '30s',
    rules: [
      {
        record: 'service:projection_behind:bool',
        expr: `max(service_projection_unapplied_seconds) > bool ${behindSeconds}`,
      },
      ...recorded,
      ...slos.flatMap((slo) => burns.map((burn) => burnRule(slo, burn))),
    ],
  },
  { name: 'service-promises', interval: '30s', rules: alerts.map(alertRule) },
];

/** Strings are in quotes: YAML accepts those of JSON. */
export function rulesFile(): string {
  const lines = groups.flatMap(({ name, interval, rules }) => [
    `  - name: ${name}`,
    `    interval: ${interval}`,
    '    rules:',
    ...rules.flatMap((rule) =>
      Object.entries(rule)
        .flatMap(([key, value]) => entry(key, value as string | Readonly<Record<string, string>>))
        .map((line, index) => `      ${index === 0 ? '- ' : '  '}${line}`),
    ),
  ]);
  return ['# Written by `npm run docs` from the tables beside it.', 'groups:', ...lines, ''].join('\n');
}

const entry = (key: string, value: string | Readonly<Record<string, string>>): string[] =>
  typeof value === 'string'
    ? [`${key}: ${JSON.stringify(value)}`]
    : [`${key}:`, ...Object.entries(value).map(([name, text]) => `  ${name}: ${JSON.stringify(text)}`)];
