import { X509Certificate, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { archetypeCatalogue } from '../../../contracts/archetypes.ts';
import { dayMs } from '../../../contracts/durations.ts';
import { toId, type NodeId } from '../../../contracts/ids.ts';
import { listParked, projectionStatus } from '../../../projections/index.ts';
import { countMailsWaiting } from '../../../projections/queries/mail.ts';
import { waitingDeliveries } from '../../../projections/queries/webhook-delivery.ts';
import { createFleet } from '../../fleet/control-plane/client.ts';
import { throughControlPlane } from '../../fleet/tunnel/node-agent.ts';
import { fileNames } from '../../internal-tls/index.ts';
import { silentLogger } from '../../logging/index.ts';
import { createSmtpMailer } from '../../mail/index.ts';
import { isHeadUnreadable } from '../../notes/kept-head.ts';
import { isAdvisoryLockHeld } from '../../postgres/advisory-lock.ts';
import { auditSigning } from '../composition/audit-heads.ts';
import { writeUrl } from '../composition/peers.ts';
import { openPeppers } from '../composition/secrets.ts';
import { openRegistry } from '../composition/stores.ts';
import { isRole } from '../roles/table.ts';
import { healthUrl } from '../supervisor/addresses.ts';
import { complaintOf } from '../supervisor/readiness.ts';
import { counted, doubtful, ill, well, withoutSupervisor, type Finding } from './finding.ts';
import type { Patient } from './patient.ts';

export async function processes({ config, stack, tls }: Patient): Promise<Finding> {
  if (stack === undefined) return withoutSupervisor;
  const roles = Object.keys(stack.processes).filter((name) => isRole(name));
  const asked = { token: config.METRICS_TOKEN, tls: tls() };
  const complaints = await Promise.all(
    roles.map(async (role) => {
      const complaint = await complaintOf(healthUrl(config, stack.environment, role), asked);
      return complaint === null ? [] : [`${role}: ${complaint}`];
    }),
  );
  const unready = complaints.flat();
  if (unready.length === 0) return well(`${counted(roles.length, 'role')}, all ready`);
  return ill(unready.join('; '), `Read the log of that process in ${join(config.DATA_DIR, 'logs')}.`);
}

const renewDays = 14;

export function certificates({ config }: Patient): Finding {
  const { FLEET_TLS: directory, ALLOW_PLAIN_INTERNAL: plain } = config;
  if (directory === undefined)
    return well(
      plain
        ? 'none: processes communicate in clear (ALLOW_PLAIN_INTERNAL)'
        : 'none: processes communicate only on this machine',
    );
  const { validTo } = new X509Certificate(readFileSync(join(directory, fileNames.certificate)));
  const days = Math.floor((Date.parse(validTo) - Date.now()) / dayMs);
  const says = days < 0 ? `expired ${-days} days ago` : `valid for ${counted(days, 'day')}`;
  const advice = `Where the authority is, run \`service certificates renew\`, and copy the files to ${directory}.`;
  if (days < 0) return ill(says, advice);
  return days < renewDays ? doubtful(says, advice) : well(says);
}

export async function projections({ pool, record }: Patient): Promise<Finding> {
  const models = await projectionStatus({ store: record(), pool: pool() });
  const outdated = models.filter(({ version, wanted_version }) => version !== wanted_version);
  const behind = models.filter((model) => model.behind);
  if (outdated.length > 0)
    return doubtful(
      `${counted(outdated.length, 'read model')} of an earlier release: ${outdated.map(({ projection }) => projection).join(', ')}`,
      'The projector rebuilds them; `service projections status` shows its progress.',
    );
  if (behind.length > 0)
    return doubtful(
      'behind the event log',
      'Check again in a second; if they stay behind, read the log of the projector.',
    );
  return well(`${counted(models.length, 'read model')}, up to date`);
}

export async function parked({ pool }: Patient): Promise<Finding> {
  const events = await listParked(pool());
  const { rows } = await pool().query<{ process: string; reason: string }>(
    'select process, reason from runtime.parked_reactions limit 100',
  );
  if (events.length + rows.length === 0) return well('nothing');
  const reason = events[0]?.reason ?? rows[0]?.reason ?? '';
  return ill(
    `${counted(events.length, 'event')} and ${counted(rows.length, 'reaction')}; the first: ${reason}`,
    '`service projections parked` and `service reactions parked` list them. Fix the cause, then run `service projections retry` and `service reactions retry`. Reactions are also retried automatically.',
  );
}

/**
 * Heads of audit logs. The process host detects an event store that is older than the signed heads, and a public head that it cannot
 * read.
 */
export async function heads({ config, pool }: Pick<Patient, 'config' | 'pool'>): Promise<Finding> {
  const { name, stopped } = await auditSigning({ config, pool: pool() });
  if (stopped === null) return well(name === null ? 'none has been signed yet' : `signed as ${name}`);
  if (isHeadUnreadable(stopped))
    return ill(
      stopped,
      'docs/deployment.md, Backup and restore, has the command that puts a copy in its place.',
    );
  return ill(stopped, 'Restore a newer backup, or start a new log with `service audit new-log`.');
}

const startNode = 'npm start -- --roles node (docs/operations.md, Several machines).';

export async function nodes({ config, pool }: Patient): Promise<Finding> {
  const rows = await openRegistry(config, pool()).list();
  const live = rows.filter(({ ageMs }) => ageMs < config.NODE_STALE_AFTER);
  const taking = live.filter(({ draining }) => !draining);
  const room = taking.reduce(
    (sum, { capacity, sessions }) => sum + Math.max(0, capacity - sessions.length),
    0,
  );
  const says = `${live.length} of ${counted(rows.length, 'node')} live, room for ${counted(room, 'session')}`;
  if (taking.length === 0 && live.length > 0)
    return ill(
      `${says}: all drain`,
      `Run \`service nodes undrain\` on one that \`service nodes list\` shows, or start another one: ${startNode}`,
    );
  if (taking.length === 0) return ill(says, `Start a node: ${startNode}`);
  if (room === 0)
    return doubtful(
      says,
      'Add a node, or raise NODE_CAPACITY; `service fleet what-if` simulates other fleets.',
    );
  return live.length < rows.length
    ? doubtful(
        says,
        '`service nodes list` shows which node is lost; `service nodes revoke` removes it permanently.',
      )
    : well(says);
}

/** While the control plane starts, it may end a session unknown to the log; then another one is tried. */
const tries = 3;

/** Starts and ends a browser without an account, unknown to the log. */
export async function session({ config, pool, tls, lifetime }: Patient): Promise<Finding> {
  const logger = silentLogger();
  const [registry, peppers] = [openRegistry(config, pool()), await openPeppers(config, pool())];
  const tunnels = throughControlPlane(writeUrl(config));
  const fleet = createFleet({ registry, logger, peppers, tls: tls(), tunnels });
  lifetime.defer('fleet', () => fleet.close());
  let failure = 'No node accepts a session.';
  for (let tried = 0; tried < tries; tried += 1) {
    const node = await fleet.place();
    if (node === undefined) break;
    const began = performance.now();
    const outcome = await startAndEnd(fleet, node);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    if (outcome.outcome === 'succeeded') return well(`opened and closed on ${node} in ${seconds} s`);
    failure = `${node}: ${outcome.failure.reason}`;
  }
  return ill(failure, 'Read the log of the node; `service nodes list` shows its address.');
}

async function startAndEnd(fleet: ReturnType<typeof createFleet>, node: NodeId) {
  const id = toId('session', randomUUID());
  const [archetype] = archetypeCatalogue.archetypes;
  const dispatch = { session_id: id, dispatch_id: randomUUID(), archetype: archetype?.id ?? '' };
  try {
    return await fleet.create(node, dispatch, { account: toId('account', randomUUID()), deadlineMs: 6_000 });
  } finally {
    await fleet.destroy(node, id);
  }
}

export async function mail({ config, pool, lifetime }: Patient): Promise<Finding> {
  const waiting = await countMailsWaiting(pool());
  const { SMTP_URL: url, MAIL_FROM: from } = config;
  if (url === undefined || from === undefined)
    return doubtful(
      `no server is configured; ${counted(waiting, 'mail')} in the outbox`,
      'Set SMTP_URL and MAIL_FROM: until then, links for sign-ups and password resets are not sent.',
    );
  const mailer = createSmtpMailer({ url, from, timeoutMs: 4_000 });
  lifetime.defer('mailer', () => mailer.close());
  await mailer.check();
  return well(`the server accepts mail; ${counted(waiting, 'mail')} waiting`);
}

export async function webhooks({ pool }: Patient): Promise<Finding> {
  const [delivers, waiting] = [
    await isAdvisoryLockHeld(pool(), 'deliveries'),
    await waitingDeliveries(pool()),
  ];
  const says = `${waiting.open} waiting, ${waiting.overdue} late`;
  if (!delivers)
    return ill(`no worker makes first attempts; ${says}`, 'Start a worker: npm start -- --roles worker.');
  if (waiting.overdue === 0) return well(says);
  return doubtful(says, '`service deliveries stuck` shows which endpoints they are for.');
}
