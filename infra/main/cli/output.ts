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

/** Columns as wide as their widest cell. */
export function tableOf(rows: readonly (readonly (string | number | null | undefined)[])[]): string[] {
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

/** Every command takes it. */
export interface Json {
  readonly json?: boolean;
}
