import { expect } from 'chai';
import { serviceProgram } from './program.ts';

const namesOf = async (name?: string) => (await serviceProgram(name)).commands.map((each) => each.name());

describe('the program of the operator’s commands', () => {
  it('has a command alone when it is named', async () => {
    for (const name of await namesOf()) expect(await namesOf(name)).to.deep.equal([name]);
  });

  it('has all of them for the help, and for a name that is none', async () => {
    const all = await namesOf();
    for (const name of ['--help', 'help', 'acount', 'constructor'])
      expect(await namesOf(name)).to.deep.equal(all);
  });
});

describe('An error in the words of a command', () => {
  it('is one line, of every command', async () => {
    const program = await serviceProgram();
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
