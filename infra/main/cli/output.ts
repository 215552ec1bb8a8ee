/** JSON with positions, which JSON has no number for, as text. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, field: unknown) => (typeof field === 'bigint' ? field.toString() : field));

export const line = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** What a command answers. */
export interface Answer {
  /** Printed with `--json`. */
  readonly value: unknown;
  /** Printed without it, for a person. */
  readonly lines: readonly string[];
  /** Makes the exit status 1. */
  readonly failed?: boolean;
}

type Cells = readonly (string | number | null | undefined)[];

/** Columns as wide as their widest cell. */
export function tableOf(rows: readonly Cells[]): string[] {
  const texts = rows.map((row) => row.map((cell) => String(cell ?? '-')));
  const widths = (texts[0] ?? []).map((_, column) =>
    Math.max(...texts.map((row) => row[column]?.length ?? 0)),
  );
  return texts.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** A table below an empty line; nothing when it would be empty. */
export const section = <Row>(
  head: readonly string[],
  rows: readonly Row[],
  cellsOf: (row: Row) => Cells,
): string[] => (rows.length === 0 ? [] : ['', ...tableOf([head, ...rows.map(cellsOf)])]);

/** A fact in one cell; of an object its parts, each behind what `labelOf` makes of its name. */
export function factText(fact: unknown, labelOf: (name: string) => string): string {
  if (typeof fact === 'string') return fact;
  if (typeof fact !== 'object' || fact === null) return toJson(fact ?? '-').replaceAll('"', '');
  return Object.entries(fact)
    .map(([name, inner]) => `${labelOf(name)} ${factText(inner, labelOf)}`)
    .join(', ');
}

/** Every command takes it. */
export interface Json {
  readonly json?: boolean;
}
