import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { createRunner, type Runner } from '../../commands/engine/runner.ts';
import { systemContext } from '../../commands/engine/context.ts';
import { linkTemplates, sampleUnsubscribeLink, sendMail } from '../../commands/mail/index.ts';
import type { Sweep } from '../../commands/process-managers/index.ts';
import { toId, uuidOf, type IncidentId } from '../../contracts/ids.ts';
import type { StatusComponent } from '../../contracts/status.ts';
import { incident, type IncidentCommand } from '../../domain/incident.ts';
import { openSubscriberLinks } from '../../infra/main/composition/links.ts';
import type { ProcessPorts } from '../../infra/main/composition/process-ports.ts';
import { createSmtpMailer, type Mailer } from '../../infra/mail/index.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { startSmtpServer, until } from '../../infra/verification/testbed/index.ts';
import { dueMailsIn } from '../../projections/queries/mail.ts';
import { startServiceWithProcesses } from './processes.ts';
import { fixedClock } from '../testing.ts';

const logger = pino({ level: 'silent' });
const base = 'https://service.example';

/** The whole service, with the processes of incidents and subscriptions, and a mail server. */
export async function startStatusService({ enforceRates = false } = {}) {
  const clock = fixedClock();
  const server = await startSmtpServer();
  const mailer = createSmtpMailer({ url: server.url, from: 'status@example.org', timeoutMs: 2000 });
  const options = { clock, enforceRates, config: { BASE_URL: base } };
  const service = await startServiceWithProcesses(options, mailing(mailer));
  const runner = createRunner({ store: service.store, logger, cacheEntries: 100 });
  const subscribe = (email: string, components?: readonly string[]) =>
    service.call('POST /v1/status/subscribe', { token: null, body: { email, components } });
  const mails = (address: string) => mailsTo(server.received, address);
  return {
    ...service,
    ...incidentsOn(runner, clock),
    subscribe,
    advance: clock.advance,
    mailsTo: mails,
    /** A confirmed subscriber. */
    subscriber: async (components?: readonly StatusComponent[]) => {
      const email = `${randomUUID()}@example.com`;
      await subscribe(email, components);
      const { links } = await until(() => mails(email)[0]);
      await service.call(`POST ${pathOf(links.confirm)}`, { token: null });
      await until(() => mails(email).length === 2);
      return email;
    },
    async close(): Promise<void> {
      await service.close();
      mailer.close();
      await server.close();
    },
  };
}

/** Sends due mails. */
const mailing =
  (mailer: Mailer) =>
  (ports: ProcessPorts): readonly Sweep[] => {
    const sending = {
      ...{ ...ports, mailer, backoffMs: [60_000], unsubscribeLink: sampleUnsubscribeLink },
      subscriberLink: openSubscriberLinks(ports),
    };
    const { withLink, others } = dueMailsIn(ports.pool, linkTemplates);
    const run = async () => {
      for (const due of [withLink, others])
        for (const { id } of await due(ports.clock.now(), { next_attempt_at: new Date(0), id: '' }, 50))
          await sendMail(sending, id);
    };
    return [{ name: 'mails', everyMs: 20, run }];
  };

/** Commands of operators. */
function incidentsOn(runner: Runner, clock: Clock) {
  const run = (id: IncidentId, command: IncidentCommand) =>
    runner.run(incident, uuidOf(id), command, systemContext(randomUUID(), 'request:test'));
  const now = () => clock.now().toISOString();
  return {
    openIncident: async (components: readonly StatusComponent[]) => {
      const incidentId = toId('incident', randomUUID());
      const about = {
        incidentId,
        title: 'Deliveries are late',
        impact: 'minor',
        message: 'Looking.',
      } as const;
      await run(incidentId, { type: 'OpenIncident', ...about, components: [...components], at: now() });
      return incidentId;
    },
    update: (id: IncidentId, message: string) =>
      run(id, { type: 'UpdateIncident', message, progress: null, at: now() }),
    resolve: (id: IncidentId) => run(id, { type: 'ResolveIncident', message: 'It is over.', at: now() }),
  };
}

export type StatusService = Awaited<ReturnType<typeof startStatusService>>;

export interface StatusMail {
  readonly template: string;
  readonly source: string;
  readonly links: { readonly confirm: string; readonly unsubscribe: string };
}

/** Decoded mails that the server received for an address. */
function mailsTo(
  taken: readonly { readonly to: readonly string[]; readonly source: string }[],
  address: string,
): StatusMail[] {
  return taken
    .filter(({ to }) => to.includes(address))
    .map(({ source: encoded }) => {
      const source = encoded
        .replace(/=\r\n/g, '')
        .replace(/=3D/g, '=')
        .replace(/\r\n[ \t]+/g, ' ');
      const link = (page: string) =>
        new RegExp(`${base}/v1/status/subscribe/${page}\\?token=[\\w.-]+`).exec(source)?.[0] ?? '';
      const template = /^X-Service-Template: (\S+)/m.exec(source)?.[1] ?? '';
      return { template, source, links: { confirm: link('confirm'), unsubscribe: link('unsubscribe') } };
    });
}

/** The path of a link in a mail. */
export const pathOf = (link: string): string => link.slice(base.length);
