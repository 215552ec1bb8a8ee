/** JSON with bigints, such as positions, as text. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, field: unknown) => (typeof field === 'bigint' ? field.toString() : field));

export const line = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** The answer of a command. */
export interface Answer {
  /** Printed with `--json`. */
  readonly value: unknown;
  /** Printed without `--json`, for people. */
  readonly lines: readonly string[];
  /** Printed on stderr, also with `--json`. */
  readonly hint?: string | undefined;
  /** Makes the exit status 1. */
  readonly failed?: boolean;
}

/** Columns as wide as their widest cell. */
export function tableOf(rows: readonly (readonly unknown[])[]): string[] {
  const texts = rows.map((row) => row.map((cell) => factText(cell)));
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

/** Columns by heading: a field of a row, or a function of it. */
type ColumnsOf<Row> = Readonly<Record<string, (keyof Row & string) | ((row: Row) => unknown)>>;

/** A table with a heading over each column. */
export function headedTable<Row>(rows: readonly Row[], columns: ColumnsOf<Row>): string[] {
  const cells = rows.map((row) =>
    Object.values(columns).map((shown) => (typeof shown === 'function' ? shown(row) : row[shown])),
  );
  return tableOf([Object.keys(columns), ...cells]);
}

/** Answers with rows; `none` is printed if there are none. */
export const listAnswer = <Row>(value: readonly Row[], none: string, columns: ColumnsOf<Row>): Answer => ({
  value,
  lines: value.length === 0 ? [none] : headedTable(value, columns),
});

/** A table after an empty line; nothing without rows. */
export const section = <Row>(rows: readonly Row[], columns: ColumnsOf<Row>): string[] =>
  rows.length === 0 ? [] : ['', ...headedTable(rows, columns)];

export const spaced = (name: string): string => name.replaceAll('_', ' ');

/** Facts of one thing, one per line. */
export const factTable = (facts: object, labelOf = spaced): string[] =>
  tableOf(Object.entries(facts).map(([name, fact]) => [labelOf(name), factText(fact, labelOf)]));

/** A fact in one cell; an object as its parts, each with the label that `labelOf` gives its name. */
export function factText(fact: unknown, labelOf = spaced): string {
  if (typeof fact === 'string') return fact;
  if (fact instanceof Date) return fact.toISOString();
  if (typeof fact !== 'object' || fact === null) return toJson(fact ?? '-').replaceAll('"', '');
  return Object.entries(fact)
    .map(([name, inner]) => `${labelOf(name)} ${factText(inner, labelOf)}`)
    .join(', ');
}

/** The option of every command. */
export interface Json {
  readonly json?: boolean;
}
