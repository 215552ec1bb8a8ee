import { recordContracts, type RecordContract } from '../../contracts/records.ts';
import { goldenData } from './golden.ts';
import type { Life } from './life.ts';

/** For each noun of records: one record with every kind of change; a deleted one; a withdrawn one. */
export const recordLives: readonly Life[] = recordContracts.flatMap(livesOf);

function livesOf({ events, quota }: RecordContract): readonly Life[] {
  const [created = '', ...others] = Object.keys(events.types);
  const ends = others.filter((type) => /(Deleted|Withdrawn)$/.test(type));
  const [deleted = '', withdrawn = ''] = ends;
  const { id } = goldenData(events.name, created) as { readonly id: string };
  const of = { category: events.name, subject: id.slice(-2) };
  return [
    { category: quota.name, subject: '02', types: Object.keys(quota.types) },
    { ...of, types: [created, ...others.filter((type) => !ends.includes(type))] },
    { ...of, as: 'd1', types: [created, deleted] },
    { ...of, as: 'd2', types: [withdrawn] },
  ];
}
