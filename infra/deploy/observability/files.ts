import { dashboardFiles } from './dashboards.ts';
import { rulesFile } from './rules.ts';

/** What is written from the tables of this folder, by the places of the files in it. */
export const observabilityFiles = (): Readonly<Record<string, string>> => ({
  'rules.yaml': rulesFile(),
  ...Object.fromEntries(Object.entries(dashboardFiles()).map(([name, text]) => [`dashboards/${name}`, text])),
});
