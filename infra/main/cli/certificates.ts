import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { fileNames } from '../../internal-tls/index.ts';
import { writeDurably } from '../../platform/durable-file.ts';
import type { ServiceCommand } from './command.ts';
import type { Answer } from './output.ts';
import { count, hosts } from './parse.ts';

/** Key of the authority, to be stored where nothing of the service runs. */
const authorityKey = 'ca.key';
/** Loopback names and addresses of every machine. */
const loopback = ['localhost', '127.0.0.1', '::1'];

interface Issued {
  readonly authority: string;
  readonly out: string;
  readonly days: number;
}

/** `service certificates …`: the files of `FLEET_TLS`. */
export function certificateCommands(program: ServiceCommand): void {
  const group = program
    .command('certificates')
    .description(
      'certificates by which the processes of an installation authenticate each other (FLEET_TLS)',
    );
  group
    .command('init')
    .description('create a certificate authority; its key must not be kept on a machine of the service')
    .requiredOption('--authority <directory>', 'directory for its certificate and key')
    .option('--days <n>', 'days for which it is valid', count, 3650)
    .answers('object', init);
  issuing(group.command('issue').description('issue the certificate of a machine'))
    .requiredOption(
      '--host <names>',
      'names and addresses by which others reach the machine, separated by commas',
      hosts,
    )
    .option('--name <name>', 'common name of the certificate', hostname())
    .answers('object', issue);
  issuing(
    group
      .command('renew')
      .description(
        'issue a certificate again with the same names; running processes load it without a restart',
      ),
  ).answers('object', renew);
}

const issuing = (command: ServiceCommand): ServiceCommand =>
  command
    .requiredOption('--authority <directory>', 'directory of the certificate authority')
    .requiredOption('--out <directory>', 'directory of the certificate, which FLEET_TLS names')
    .option('--days <n>', 'days for which it is valid', count, 90);

async function init({ authority, days }: Pick<Issued, 'authority' | 'days'>): Promise<Answer> {
  if (existsSync(join(authority, authorityKey)))
    throw new Error(
      `${authority} already has an authority. A new one would make its certificates worthless; choose another directory.`,
    );
  const { makeAuthority } = await import('../../internal-tls/authority.ts');
  const made = await makeAuthority('service authority', { from: new Date(), days });
  mkdirSync(authority, { recursive: true, mode: 0o700 });
  await writeDurably(join(authority, authorityKey), made.key);
  await writeDurably(join(authority, fileNames.authority), made.certificate);
  return answer(
    authority,
    made.certificate,
    `Keep ${join(authority, authorityKey)} on a machine that runs nothing of the service.`,
  );
}

const issue = ({
  host,
  name,
  ...where
}: Issued & { readonly host: readonly string[]; readonly name: string }) =>
  write(where, { name, hosts: [...new Set([...host, ...loopback])] });

/** Renews with the names of the present certificate. */
function renew(where: Issued): Promise<Answer> {
  const { subject, subjectAltName = '' } = new X509Certificate(
    readFileSync(join(where.out, fileNames.certificate)),
  );
  const named = subjectAltName.split(', ').map((each) => each.replace(/^(DNS|IP Address):/, ''));
  return write(where, { name: subject.replace(/^CN=/, ''), hosts: named });
}

async function write(
  { authority, out, days }: Issued,
  subject: { readonly name: string; readonly hosts: readonly string[] },
): Promise<Answer> {
  const certificate = readFileSync(join(authority, fileNames.authority), 'utf8');
  const key = readFileSync(join(authority, authorityKey), 'utf8');
  const { certify } = await import('../../internal-tls/authority.ts');
  const made = await certify({ certificate, key }, { ...subject, validity: { from: new Date(), days } });
  mkdirSync(out, { recursive: true, mode: 0o700 });
  await writeDurably(join(out, fileNames.authority), certificate);
  await writeDurably(join(out, fileNames.key), made.key);
  await writeDurably(join(out, fileNames.certificate), made.certificate);
  return answer(out, made.certificate, `Start the processes of ${subject.name} with FLEET_TLS=${out}.`);
}

function answer(directory: string, certificate: string, next: string): Answer {
  const { subject, subjectAltName, validTo } = new X509Certificate(certificate);
  const until = new Date(validTo).toISOString();
  const named = subjectAltName === undefined ? {} : { names: subjectAltName.split(', ') };
  return {
    value: { directory, subject, ...named, until },
    lines: [`${subject} in ${directory}, valid until ${until}.`, next],
  };
}
