import { dashboardFiles } from './dashboards.ts';
import { rulesFile } from './rules.ts';

/** Files generated from this folder's tables, by path. */
export const observabilityFiles = (): Readonly<Record<string, string>> => ({
  'rules.yaml': rulesFile(),
  ...Object.fromEntries(Object.entries(dashboardFiles()).map(([name, text]) => [`dashboards/${name}`, text])),
});
