import { boards, type Panel } from './panels.ts';

const columns = 2;
const width = 24 / columns;
const height = 8;

const datasource = { type: 'prometheus', uid: '${datasource}' };

/** A panel for Grafana 9 and later. */
const panelOf = ({ title, query, legend, unit }: Panel, index: number) => ({
  id: index + 1,
  type: 'timeseries',
  title,
  datasource,
  gridPos: {
    x: (index % columns) * width,
    y: Math.floor(index / columns) * height,
    w: width,
    h: height,
  },
  fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
  targets: [{ refId: 'A', datasource, expr: query, legendFormat: legend }],
});

const slug = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

const dashboard = (name: string, panels: readonly Panel[]) => ({
  uid: `service-${slug(name)}`,
  title: `Service: ${name}`,
  tags: ['service'],
  timezone: 'utc',
  schemaVersion: 38,
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
  panels: panels.map(panelOf),
});

/** Dashboards by file name. */
export const dashboardFiles = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(boards).map(([name, panels]) => [
      `${slug(name)}.json`,
      `${JSON.stringify(dashboard(name, panels), null, 2)}\n`,
    ]),
  );
