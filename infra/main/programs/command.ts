import { problems, Refusal } from '../../../contracts/problems.ts';
import { takeSecretFiles } from '../../config/index.ts';
import { messageOf } from '../../platform/error-message.ts';
import { serviceProgram } from '../cli/program.ts';

// The reader closed the pipe (`events tail | head`): not an error of the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

async function run(): Promise<void> {
  takeSecretFiles(process.env);
  const program = await serviceProgram(process.argv[2]);
  await program.parseAsync();
}

run().catch((error: unknown) => {
  process.stderr.write(
    `${sentence(error)
      .trim()
      .replaceAll(/\s*\n\s*/g, ' ')}\n`,
  );
  process.exitCode = 1;
});

function sentence(error: unknown): string {
  if (error instanceof Refusal) return `${error.slug}: ${missing(error) ?? error.message}`;
  return messageOf(error);
}

/** Names the ids of the command where nothing was found and the refusal names none. */
function missing({ slug, message }: Refusal): string | undefined {
  const ids = process.argv.filter((each) => /^[a-z]+_[0-9a-f-]{36}$/.test(each));
  if (slug !== 'not-found' || message !== problems[slug].detail || ids.length === 0) return undefined;
  return `There is no ${ids.join(' with ')}, or no longer.`;
}
