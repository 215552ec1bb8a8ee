import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadConfig } from '../../config/index.ts';
import { readStack } from '../supervisor/stack-file.ts';
import { collectBundle } from '../support-bundle/index.ts';
import { packBundle } from '../support-bundle/pack.ts';
import type { ServiceCommand } from './command.ts';
import { commandEnvironment } from './environment.ts';
import type { Answer } from './output.ts';

/** `service support-bundle` */
export function supportBundleCommand(program: ServiceCommand): void {
  program
    .command('support-bundle')
    .description(
      'write one file with what a maintainer needs to help, without secrets and without text of customers',
    )
    .option('--out <file>', 'the file to write; by default in DATA_DIR, named after the time')
    .answers('object', supportBundle);
}

async function supportBundle({ out }: { readonly out?: string }): Promise<Answer> {
  const environment = commandEnvironment(process.env);
  const config = loadConfig(environment);
  const folder = `service-support-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}`;
  const file = resolve(out ?? join(writable(config.DATA_DIR), `${folder}.tar.gz`));
  const files = await collectBundle({ config, environment, stack: readStack(config.DATA_DIR) });
  await packBundle(file, folder, files);
  const missing = Object.keys(JSON.parse(files['missing.json'] ?? '{}') as object);
  // A hanging connection would keep the process alive.
  setTimeout(() => process.exit(), 500).unref();
  return {
    value: { file, files: Object.keys(files), missing },
    lines: [
      `${file} has ${Object.keys(files).length} files. Review it before you send it.`,
      ...(missing.length > 0
        ? [`It lacks ${missing.join(', ')}, which could not be collected; missing.json has the reasons.`]
        : []),
    ],
  };
}

/** The directory of the service, where its user may write: the current one may belong to the program. */
const writable = (dataDir: string): string => (existsSync(dataDir) ? dataDir : '.');
