import { createHash } from 'node:crypto';
import type { Table } from './table.ts';

/**
 * What a table is made of and by: the version of its handlers, and a hash of its columns, key and indexes. It is kept as the
 * table's comment, so that it goes where a swap puts the table and is gone with it.
 */
export const versionOf = ({ columns, key, indexes, handlers }: Table): string => {
  const shape = Object.entries(columns).map(([name, { type, nullable }]) => [name, type, nullable]);
  const text = JSON.stringify([shape.sort(), key, [...indexes].sort()]);
  return `${handlers}-${digest(text)}`;
};

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);
