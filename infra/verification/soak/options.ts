import { Command, InvalidArgumentError } from 'commander';

export interface SoakOptions {
  readonly minutes: number;
  /** Operations a second; `half` is half of what the first minute finds the machine can do. */
  readonly rate: number | 'half';
  readonly seed: number;
  readonly json: boolean;
}

const above0 = (text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('a number above 0.');
  return value;
};

export const soakCommand = (run: (options: SoakOptions) => Promise<void>): Command =>
  new Command('soak')
    .description('Keeps the whole service under a steady load and looks for what grows.')
    .option('--minutes <n>', 'how long the load lasts', above0, 20)
    .option(
      '--rate <n|half>',
      'operations a second',
      (text) => (text === 'half' ? text : above0(text)),
      'half',
    )
    .option('--seed <n>', 'of the choice of operations', Number, 1)
    .option('--json', 'print one JSON object', false)
    .action(run);
