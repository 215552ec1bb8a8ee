import { toId } from '../../../../contracts/ids.ts';

/** What the process is asked to do; it answers `WorkDone`. */
export type Work =
  | { readonly kind: 'keep'; readonly directory: string }
  /** What was kept last, into an empty directory. */
  | { readonly kind: 'open'; readonly directory: string };

export interface WorkDone {
  /** CPU time of the process so far. */
  readonly cpu: NodeJS.CpuUsage;
  readonly rssBefore: number;
  readonly rssAtMost: number;
  readonly sealedBytes: number;
}

export const benchProfile = toId('profile', '00000000-0000-4000-8000-000000000000');
