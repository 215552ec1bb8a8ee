import { auditHeadSweep } from '../../../commands/process-managers/audit-heads.ts';
import type { Processes } from '../../../commands/process-managers/index.ts';
import { checkSignedHeads } from '../../../projections/audit/check-heads.ts';
import { markHeadRecorded, signingStop, unrecordedHeads } from '../../../projections/audit/guard.ts';
import { createHeadSigner } from '../../../projections/audit/signing.ts';
import { publicUrl } from './public-url.ts';
import { openAnchoring } from './anchoring.ts';
import type { Ports } from './ports.ts';
import { openNoteKeys } from './stores.ts';

type HeadPorts = Pick<
  Ports,
  'config' | 'clock' | 'logger' | 'metrics' | 'pool' | 'record' | 'vault' | 'runner'
>;

/** Signs heads of audit logs. The leader of the process hosts does it. */
export function auditHeadProcesses(ports: HeadPorts): Processes {
  const { config, pool, metrics, record } = ports;
  const noteKeys = openNoteKeys(config, pool);
  const currentLog = async () => (await noteKeys.current()).log;
  metrics.gauge('service_audit_signing_stopped', '1 while heads of audit logs are not signed', async () =>
    Number((await signingStop(pool, await currentLog())) !== null),
  );
  const { contradiction: publicHead } = openAnchoring(ports);
  const sweep = auditHeadSweep(
    {
      ...ports,
      check: async (signal) =>
        checkSignedHeads({ pool, store: record, log: await currentLog(), publicHead, signal }),
      unrecorded: async (page) => unrecordedHeads(pool, await currentLog(), page),
      sign: createHeadSigner({ ...ports, noteKeys, baseUrl: publicUrl(config) }),
      markRecorded: (head) => markHeadRecorded(pool, head),
    },
    config.AUDIT_HEAD_INTERVAL,
  );
  return { managers: [], sweeps: [sweep] };
}

/**
 * The name under which heads of audit logs are signed, null before the first; and why the signing is stopped, null if it is not.
 */
export async function auditSigning({ config, pool }: Pick<Ports, 'config' | 'pool'>) {
  const newest = (await openNoteKeys(config, pool).list()).at(-1);
  if (newest === undefined) return { name: null, stopped: null };
  return { name: newest.name, stopped: await signingStop(pool, newest.log) };
}

/** Rejects with the reason while signing is stopped. */
export const auditSigningCheck = (ports: Pick<Ports, 'config' | 'pool'>) => async (): Promise<void> => {
  const { stopped } = await auditSigning(ports);
  if (stopped !== null) throw new Error(stopped);
};
