import { Command, InvalidArgumentError } from 'commander';
import type { PagesOptions } from './pages/run.ts';

export interface SoakOptions {
  readonly minutes: number;
  /** Operations per second; `half` is half of the machine's maximum, which the first minute measures. */
  readonly rate: number | 'half';
  readonly seed: number;
  readonly json: boolean;
}

/** Kinds of soak, each with its own default options. */
export interface Soaks {
  readonly load: (options: SoakOptions) => Promise<void>;
  readonly animation: (options: { readonly minutes: number }) => Promise<void>;
  readonly pages: (options: PagesOptions) => Promise<void>;
}

const above0 = (text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('a number above 0.');
  return value;
};

const setting = (text: string, before: Readonly<Record<string, string>>) => {
  const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('NAME=value.');
  return { ...before, [name]: value };
};

export const soakCommand = ({ load, animation, pages }: Soaks): Command =>
  new Command('soak')
    // Options after the name of another soak belong to that one.
    .enablePositionalOptions()
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
    .action(load)
    .addCommand(
      new Command('animation')
        .description('One real browser on a page that draws in every frame: whether it or its display grows.')
        .option('--minutes <n>', 'how long', above0, 60)
        .action(animation),
    )
    .addCommand(
      new Command('pages')
        .description(
          'Hostile and ordinary pages side by side from five accounts, and what three others notice.',
        )
        .option('--minutes <n>', 'how long they are there together', above0, 60)
        .option('--side-by-side <n>', 'browsers at once', above0, 50)
        .option('--set <NAME=value>', 'a setting of the service; again for another one', setting, {})
        .action(pages),
    );
