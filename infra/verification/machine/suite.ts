import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../stack/restoring.ts';

/** The suite that runs on the machine. Its bundle is in the folder of verification, which belongs to no program. */
export const suite = {
  source: 'infra/fleet/webkit/kernel-bounds.test.ts',
  bundled: 'infra/verification/machine/kernel-bounds.mjs',
};

/**
 * Bundles the suite into one JavaScript file, so that the machine does not have to translate TypeScript. The file
 * belongs in a folder that is not a source of the programs' bundles.
 */
export const bundleSuite = (to: string): Promise<unknown> =>
  build({
    entryPoints: [join(root, suite.source)],
    outfile: join(to, suite.bundled),
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'silent',
  });

/**
 * A command line that runs the suite. It uses the program of mocha that starts no child process, because only a
 * process that is alone in a control group of version 2 can divide it.
 */
export const runsSuite =
  '/usr/bin/env KERNEL_HOLDS=memoryBytes,threads,cpuShare,processors /usr/bin/node node_modules/mocha/lib/cli/cli.js ' +
  `--no-config --timeout 600000 ${suite.bundled}`;

/** One word of a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Directives that say what to start, and with which settings; the others set the user and the restrictions. */
const ofTheNode =
  /^(Type|Exec\w+|Restart\w*|Environment\w*|LoadCredential|WorkingDirectory|StateDirectory\w*)=/;

/** A command line that runs another one as a unit of root's, with a group of its own to divide. */
export const asRoot = (command: string): string => asService(['Delegate=yes'], command);

/** The same with the user, the group and the restrictions of service-node.service. */
export function asNode(command: string): string {
  const text = readFileSync(join(root, 'infra/deploy/systemd/service-node.service'), 'utf8');
  const [, service = ''] = text.split(/^\[\w+\]\n/m).slice(1);
  return asService(
    service.split('\n').filter((line) => /^\w+=/.test(line) && !ofTheNode.test(line)),
    command,
  );
}

function asService(properties: readonly string[], command: string): string {
  const given = properties.map((property) => `-p ${quoted(property)}`);
  return `systemd-run --quiet --wait --pipe --collect -p WorkingDirectory=/opt/service ${given.join(' ')} ${command}`;
}
