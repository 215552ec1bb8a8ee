import { toId } from '../../../../contracts/ids.ts';

/** Commands for the process, which answers each with `WorkDone`. */
export type Work =
  | { readonly kind: 'keep'; readonly directory: string }
  /** Unpacks the last stored state into an empty directory. */
  | { readonly kind: 'open'; readonly directory: string };

export interface WorkDone {
  /** CPU time of the process so far. */
  readonly cpu: NodeJS.CpuUsage;
  readonly rssBefore: number;
  readonly rssAtMost: number;
  readonly sealedBytes: number;
}

export const benchProfile = toId('profile', '00000000-0000-4000-8000-000000000000');
