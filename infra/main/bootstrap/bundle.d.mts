export function bundle(options: {
  readonly root: string;
  readonly entries: readonly string[];
  readonly directory: string;
  readonly sources: readonly string[];
  readonly console?: boolean;
}): Promise<void>;
