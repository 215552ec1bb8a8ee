import { Command } from 'commander';
import type { Operator } from './operator.ts';
import { line, toJson, type Answer, type Json } from './output.ts';
import { idOf } from './parse.ts';

/** A command, or a group of them, of `service`. */
export class ServiceCommand extends Command {
  override createCommand(name?: string): ServiceCommand {
    return new ServiceCommand(name);
  }

  ofAccount(): this {
    return this.requiredOption('--account <id>', 'acc_<uuid>', idOf('account'));
  }

  /** Prints the answer of `work`; with `--json`, as one JSON `form`. */
  answers<Args extends readonly unknown[]>(
    form: 'array' | 'object' | 'value',
    work: (...args: Args) => Answer | Promise<Answer>,
  ): this {
    return this.option('--json', `print one JSON ${form}`).action(async (...args: Args) => {
      const { value, lines, hint, failed } = await work(...args);
      for (const each of this.opts<Json>().json ? [toJson(value)] : lines) line(each);
      if (hint !== undefined) process.stderr.write(`${hint}\n`);
      if (failed) process.exitCode = 1;
    });
  }

  /** The same on the stores of the running stack. */
  operates<Args extends readonly unknown[]>(
    form: 'array' | 'object' | 'value',
    work: (operator: Operator, ...args: Args) => Promise<Answer>,
  ): this {
    return this.answers(form, async (...args: Args) => {
      const { asOperator } = await import('./operator.ts');
      return asOperator((operator) => work(operator, ...args));
    });
  }
}
