import { expect } from 'chai';
import { program } from './program.ts';

describe('An error in the words of a command', () => {
  it('is one line, of every command', () => {
    const groups = [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)];
    for (const command of groups) {
      let written = '';
      command
        .configureOutput()
        .outputError?.("error: unknown command 'nope'\n(Did you mean nodes?)\n", (text) => {
          written += text;
        });
      expect(written, command.name()).to.equal(
        "error: unknown command 'nope' (Did you mean nodes?) (use --help for details)\n",
      );
    }
  });
});
