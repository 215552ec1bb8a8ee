import type { ProxyFailure, ProxyFields } from '../contracts/events/proxy.ts';
import { uuidOf, type AccountId, type ProxyId } from '../contracts/ids.ts';
import { declaredIn, type Stored } from '../contracts/record.ts';
import { UpdateProxy, type CreateProxy, type DialledProxy } from '../contracts/resources/proxy.ts';
import { proxyNoun } from '../domain/proxy.ts';
import type { Vault } from '../infra/vault/index.ts';
import { now, type Caller, type CommandContext } from './engine/context.ts';
import { openSealedOrThrow } from './engine/open-sealed.ts';
import { changeRecord, createRecordCommands } from './engine/records.ts';
import type { Reservations } from './engine/reservations.ts';
import type { CommandPorts } from './engine/runner.ts';

export interface ProxyPorts extends CommandPorts {
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  /** Sends one request through the proxy; null if it succeeded. */
  readonly probe: (proxy: DialledProxy) => Promise<ProxyFailure | null>;
}

export type SavedProxy = Stored<ProxyFields>;

const field = 'proxy password';

/** Commands on saved proxies. */
export function createProxyCommands(ports: ProxyPorts) {
  const renaming: Required<Pick<Reservations, 'lapse'>> = {
    lapse: (id, since, step) =>
      ports.runner.run(
        proxyNoun.record,
        uuidOf(id),
        { type: 'LapseReservation', since, at: now(ports) },
        step,
      ),
  };
  const { create, run, ...others } = createRecordCommands(ports, proxyNoun, renaming);
  const change = changeRecord(ports, proxyNoun, renaming);
  return {
    ...others,
    create: async ({ accountId, context }: Caller, body: CreateProxy) => {
      const { username = null, password = null, label, scheme, host, port } = body;
      const sealedPassword = await seal(ports, accountId, password);
      const fields = { label, scheme, host, port, username, sealedPassword, lastCheck: null };
      return create(accountId, fields, context);
    },
    change: async (saved: SavedProxy, body: UpdateProxy, context: CommandContext) => {
      const { password, ...fields } = declaredIn(UpdateProxy, body);
      if (password === undefined) return change(saved, fields, context);
      const sealedPassword = await seal(ports, saved.accountId, password);
      return change(saved, { ...fields, sealedPassword }, context);
    },
    /** The dial settings of a saved proxy; throws `not-found` as `find` does. */
    open: async (accountId: AccountId, id: ProxyId): Promise<DialledProxy> =>
      dialled(ports, await others.find(accountId, id)),
    /** The reason why requests fail through the proxy; null if one succeeded. Records nothing. */
    probe: ports.probe,
    /** Checks the proxy and records the result. */
    check: async (saved: SavedProxy, context: CommandContext) => {
      const reason = await ports.probe(await dialled(ports, saved));
      const check = { ok: reason === null, reason, at: now(ports) };
      const { position } = await run(saved, { type: 'RecordCheck', tried: saved.fields, check }, context);
      return { check, position };
    },
  };
}

export type ProxyCommands = ReturnType<typeof createProxyCommands>;

const seal = async ({ vault }: ProxyPorts, accountId: AccountId, password: string | null) =>
  password === null ? null : vault.seal(accountId, field, password);

async function dialled({ vault }: ProxyPorts, { accountId, fields }: SavedProxy): Promise<DialledProxy> {
  const { scheme, host, port, username, sealedPassword } = fields;
  const password = sealedPassword && (await openSealedOrThrow(vault, accountId, field, sealedPassword));
  return { scheme, host, port, username, password };
}
