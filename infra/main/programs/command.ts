import { Refusal } from '../../../contracts/problems.ts';
import { takeSecretFiles } from '../../config/index.ts';
import { serviceProgram } from '../cli/program.ts';

// The reader closed the pipe (`events tail | head`): not an error of the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

async function run(): Promise<void> {
  takeSecretFiles(process.env);
  const program = await serviceProgram(process.argv[2]);
  await program.parseAsync();
}

run().catch((error: unknown) => {
  process.stderr.write(`${sentence(error)}\n`);
  process.exitCode = 1;
});

function sentence(error: unknown): string {
  if (error instanceof Refusal) return `${error.slug}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
