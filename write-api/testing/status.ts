import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { type CommandPorts, createRunner, type Runner } from '../../commands/engine/runner.ts';
import { systemContext } from '../../commands/engine/context.ts';
import {
  sampleUnsubscribeLink,
  sendMail,
  subscriberPaths,
  type SubscriberLink,
} from '../../commands/mail/index.ts';
import { defaultHostSettings, processMigrations, startHost } from '../../commands/process-managers/index.ts';
import { statusManagers } from '../../commands/process-managers/status.ts';
import { subscriberTokens } from '../../commands/status/tokens.ts';
import { toId, uuidOf, type IncidentId } from '../../contracts/ids.ts';
import type { StatusComponent } from '../../contracts/status.ts';
import { incident, type IncidentCommand } from '../../domain/incident.ts';
import { createSmtpMailer } from '../../infra/mail/index.ts';
import { createOneTimeTokens } from '../../infra/keys/one-time-tokens.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { migrate } from '../../infra/postgres/index.ts';
import { startSmtpServer, until } from '../../infra/verification/testbed/index.ts';
import { startWholeService, type WholeService } from '../../infra/verification/security/whole-service.ts';
import { mailsDue } from '../../projections/queries/mail.ts';
import { hasSubscribersUpTo, subscribersTo } from '../../projections/queries/status-subscriber.ts';
import { peppers } from './staff.ts';
import { fixedClock } from '../testing.ts';

const logger = pino({ level: 'silent' });
const base = 'https://service.example';

/** The whole service, with what follows from incidents and subscriptions beside it, and a mail server. */
export async function startStatusService({ enforceRates = false } = {}) {
  const clock = fixedClock();
  const service = await startWholeService({ clock, enforceRates });
  const runner = createRunner({ store: service.store, logger, cacheEntries: 100 });
  const server = await startSmtpServer();
  const closeHost = await startMailing({ ...service, runner, clock }, server.url);
  const subscribe = (email: string, components?: readonly string[]) =>
    service.call('POST /v1/status/subscribe', { token: null, body: { email, components } });
  const mails = (address: string) => mailsTo(server.taken, address);
  return {
    ...service,
    ...incidentsOn(runner, clock),
    subscribe,
    advance: clock.advance,
    mailsTo: mails,
    /** Somebody who asked and confirmed. */
    subscriber: async (components?: readonly StatusComponent[]) => {
      const email = `${randomUUID()}@example.com`;
      await subscribe(email, components);
      const { links } = await until(() => mails(email)[0]);
      await service.call(`POST ${pathOf(links.confirm)}`, { token: null });
      await until(() => mails(email).length === 2);
      return email;
    },
    async close(): Promise<void> {
      await closeHost();
      await server.close();
      await service.close();
    },
  };
}

interface Mailing extends CommandPorts, Pick<WholeService, 'store' | 'pool' | 'vault'> {}

/** A host that queues mails, and sends what is due. Gives what ends it. */
async function startMailing({ store, pool, vault, runner, clock }: Mailing, smtpUrl: string) {
  await migrate(pool, processMigrations);
  const mailer = createSmtpMailer({ url: smtpUrl, from: 'status@example.org', timeoutMs: 2000 });
  const tokens = subscriberTokens(createOneTimeTokens(peppers));
  const subscriberLink: SubscriberLink = (page, { subscriber, subscriptionId }) =>
    `${base}${subscriberPaths[page]}?token=${tokens.textOf(page, subscriber, subscriptionId)}`;
  const sending = {
    ...{ runner, clock, vault, mailer, logger, subscriberLink, backoffMs: [60_000] },
    unsubscribeLink: sampleUnsubscribeLink,
  };
  const managers = statusManagers({
    ...{ runner, clock, vault },
    subscribers: (components, page) => subscribersTo(pool, components, page),
    isListedUpTo: (position) => hasSubscribersUpTo(pool, position),
  });
  const sendDue = async () => {
    for (const { mailId } of await mailsDue(pool, clock.now(), 50)) await sendMail(sending, mailId);
  };
  const settings = { ...defaultHostSettings, checkpointMs: 10, standbyMs: 20, backoffMs: 10 };
  const sweep = { name: 'mails', everyMs: 20, run: sendDue };
  const host = startHost({ ...settings, name: 'processes', store, pool, logger, managers }, [sweep]);
  return async () => {
    await host.close();
    mailer.close();
  };
}

/** What operators do. */
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

/** What the server took for an address, with quoted-printable undone. */
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

/** Of a link in a mail: what is asked of the service. */
export const pathOf = (link: string): string => link.slice(base.length);
