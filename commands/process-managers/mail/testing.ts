import { dueMailsIn } from '../../../projections/queries/mail.ts';
import { runningSessions } from '../../../projections/queries/session.ts';
import { dueTimersIn } from '../../../projections/queries/timer.ts';
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { toId, uuidOf, type AccountId, type WebhookId } from '../../../contracts/ids.ts';
import { webhookEndpoint } from '../../../domain/webhook-endpoint/webhook-endpoint.ts';
import { loadConfig } from '../../../infra/config/index.ts';
import { createSmtpMailer } from '../../../infra/mail/index.ts';
import { connectPostgres, migrate, postgresMigrations } from '../../../infra/postgres/index.ts';
import { createRateLimits } from '../../../infra/rate-limits/index.ts';
import { createWakeUps, type WakeUps } from '../../../infra/queue/index.ts';
import { freshDatabase, startSmtpServer, until } from '../../../infra/verification/testbed/index.ts';
import { createMasterKeys, createVault, vaultMigrations, type Vault } from '../../../infra/vault/index.ts';
import { projectionMigrations, startProjector } from '../../../projections/index.ts';
import type { Commands } from '../../../infra/main/composition/commands.ts';
import { webhookLimits } from '../../../infra/main/composition/settings.ts';
import { createWorld, newContext, openStore, quiet, type World } from '../../session/testing.ts';
import { linkTemplates, sampleSubscriberLink, type UnsubscribeLink } from '../../mail/index.ts';
import { createWebhookCommands } from '../../webhook-endpoint/index.ts';
import {
  defaultProcessSettings,
  keyRemindersManager,
  mailSweep,
  mailWakeUpsManager,
  optionalMailManagers,
  processMigrations,
  startProcesses,
  webhookNoticesManager,
  type Host,
} from '../index.ts';
import { commandsOn, managersOn, queueThatIsDown } from '../testing.ts';

export const backoffMs = [60_000, 300_000];
const disableAfter = 50;
const sender = 'service@example.org';

export const unsubscribeLink: UnsubscribeLink = (accountId, kind) =>
  `https://service.example/v1/email/unsubscribe?token=${accountId}.${kind}`;

const links = { unsubscribeLink, subscriberLink: sampleSubscriberLink };

/** A real log, its read models, a vault, a mail server and a queue, with a fixed clock. */
export async function openMailWorld() {
  const [opened, database, server] = await Promise.all([openStore(), freshDatabase(), startSmtpServer()]);
  const postgres = connectPostgres({ url: database.url, logger: quiet });
  const { pool } = postgres;
  await migrate(pool, [
    ...postgresMigrations,
    ...vaultMigrations,
    ...projectionMigrations,
    ...processMigrations,
  ]);
  const world = createWorld(opened.store);
  const { clock, runner, store } = world;
  const projector = startProjector({ store, pool, logger: quiet, clock, standbyMs: 20 });
  const vault = createVault({ pool, masterKeys: createMasterKeys([randomBytes(32)]), keyAgeMs: 0 });
  const wakeUps = createWakeUps({ url: database.url, clock, logger: quiet, queueName: 'mail' });
  const mailer = createSmtpMailer({ url: server.url, from: sender, timeoutMs: 2000 });
  const commands = commandsOn(world, pool, vault);
  const parts = { ...world, pool, vault, wakeUps, commands };
  const hosts = hostsOf(parts);
  const customers = customersOf(parts);
  return {
    ...parts,
    ...hosts,
    ...customers,
    ...{ server, mails: createRateLimits({ logger: quiet, enforced: false }).mails },
    sending: { ...{ runner, clock, vault, mailer }, ...links, backoffMs, logger: quiet },
    close: async () => {
      await hosts.closeHosts();
      await wakeUps.close();
      mailer.close();
      await projector.close();
      await opened.close();
      await postgres.close();
      await Promise.all([server.close(), database.drop()]);
    },
  };
}
export type MailWorld = Awaited<ReturnType<typeof openMailWorld>>;

interface Parts extends Pick<World, 'clock' | 'runner' | 'sessions' | 'store'> {
  readonly pool: pg.Pool;
  readonly vault: Vault;
  readonly wakeUps: WakeUps;
  readonly commands: Commands;
}

/** Accounts and their endpoints, created by the service's commands. */
function customersOf({ clock, runner, vault, commands: { accounts } }: Parts) {
  const webhooks = createWebhookCommands({
    runner,
    clock,
    vault,
    newSecret: () => `whsec_${uuidv7()}`,
    target: { resolve: (url) => Promise.resolve({ url: new URL(url), addresses: ['203.0.113.1'] }) },
    limits: webhookLimits(loadConfig({})),
    forecast: () => Promise.resolve({ matching: 0, firstAt: null, lastAt: null }),
  });
  const count = countingOf({ clock, runner });
  return {
    accounts,
    webhooks,
    newOwner: async (email = `${uuidv7()}@example.com`) => {
      const created = await accounts.create({ email, tier: 'team' }, newContext(null));
      return { ...created, email };
    },
    register: async (accountId: AccountId): Promise<WebhookId> => {
      const url = 'https://receiver.example:8443/hooks?token=canary';
      const endpoint = { url, events: ['session.completed'], description: null } as const;
      return (await webhooks.register(accountId, endpoint, newContext(accountId))).webhook.webhookId;
    },
    /** Adds this many consecutive failed attempts. */
    fail: (webhookId: WebhookId, accountId: AccountId, times: number) =>
      count(
        webhookId,
        accountId,
        Array.from({ length: times }, () => false),
      ),
    /** Adds a successful attempt. */
    succeed: (webhookId: WebhookId, accountId: AccountId) => count(webhookId, accountId, [true]),
  };
}

/** Counts outcomes of an endpoint's attempts, in the order given. */
function countingOf({ clock, runner }: Pick<Parts, 'clock' | 'runner'>) {
  let position = 0n;
  return async (webhookId: WebhookId, accountId: AccountId, each: readonly boolean[]): Promise<void> => {
    for (const [index, succeeded] of each.entries()) {
      position += 1n;
      const at = clock.now().toISOString();
      const deliveryId = toId('webhookDelivery', uuidv7());
      const outcomes = [{ deliveryId, attempt: index + 1, succeeded, position }];
      const command = { type: 'CountOutcomes', outcomes, isIncomplete: false, disableAfter, at } as const;
      await runner.run(webhookEndpoint, uuidOf(webhookId), command, newContext(accountId));
    }
  };
}

async function checkpointIn(pool: pg.Pool): Promise<bigint> {
  const text = 'select commit_position from runtime.process_checkpoints';
  const { rows } = await pool.query<{ commit_position: string }>(text);
  return BigInt(rows[0]?.commit_position ?? -1);
}

/** Hosts with short intervals whose managers' wake-ups are lost, so that only the sweeps act. */
function hostsOf({ clock, runner, store, pool, vault, wakeUps, commands }: Parts) {
  const hosts: Host[] = [];
  const lost = { runner, wakeUps: queueThatIsDown, logger: quiet };
  const sweep = mailSweep({ due: dueMailsIn(pool, linkTemplates), wakeUps, clock, everyMs: 30 });
  const managers = [
    ...managersOn({ store, clock, runner }, commands),
    webhookNoticesManager({ runner, clock, vault, disableAfter }),
    keyRemindersManager({ runner, clock, vault }),
    ...optionalMailManagers({ runner, clock, vault }),
  ];
  const options = {
    ...defaultProcessSettings,
    ...{ timerSweepMs: 20, checkpointMs: 10, standbyMs: 20 },
    ...{ ...commands, store, pool, clock, runner, logger: quiet },
    timers: dueTimersIn(pool),
    runningSessions: () => runningSessions(pool),
    registry: { list: () => Promise.resolve([]), listeningForMs: () => Promise.resolve(0) },
  };
  return {
    /** Starts the process host. `mail`: whether a mail server is configured. */
    host: ({ mail }: { readonly mail: boolean }): void => {
      const sending = { managers: [...managers, mailWakeUpsManager(lost)], sweeps: [sweep] };
      hosts.push(startProcesses({ ...options, ...(mail ? sending : { managers }) }));
    },
    closeHosts: () => Promise.all(hosts.splice(0).map((host) => host.close())),
    /** Resolves once the host has reacted to everything in the log that its managers are given. */
    reacted: async (): Promise<void> => {
      const types = managers.flatMap((manager) => manager.types);
      let last = -1n;
      for await (const { position } of store.readAll({ direction: 'backwards', types, limit: 1 }))
        last = position.commit;
      await until(async () => (await checkpointIn(pool)) >= last);
    },
  };
}
