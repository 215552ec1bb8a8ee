export type ExportVerdict =
  | {
      readonly ok: true;
      readonly count: number;
      /** The hash of the last entry, 64 hex digits; 64 zeros when there is none. */
      readonly head: string;
    }
  | {
      readonly ok: false;
      /** The place in the chain of the first entry that does not hold. */
      readonly sequence: number;
      readonly reason: string;
    };

/** Checks the chain of an export of the audit log. Rejects with a `TypeError` when something in it is no object. */
export function verifyExport(entries: Iterable<unknown> | AsyncIterable<unknown>): Promise<ExportVerdict>;
