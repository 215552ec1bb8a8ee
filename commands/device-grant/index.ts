import type { AccountId } from '../../contracts/ids.ts';
import {
  deviceClients,
  deviceScopes,
  oauthRefusal,
  type DeviceClient,
  type DeviceScope,
} from '../../contracts/oauth.ts';
import { Refusal } from '../../contracts/problems.ts';
import { deviceGrant, unknownCode, type DeviceGrantCommand } from '../../domain/device-grant.ts';
import { after } from '../../domain/kit/time.ts';
import {
  grantOfDeviceCode,
  grantOfUserCode,
  hashDeviceCode,
  issueUserCode,
  newDeviceCode,
} from '../../infra/keys/device-codes.ts';
import { byEach, type Peppers } from '../../infra/keys/index.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { bindPorts } from '../engine/bind-ports.ts';
import { now, ownedContext, stepContext, type CommandContext } from '../engine/context.ts';
import type { CommandPorts, RunOptions } from '../engine/runner.ts';
import { isErased } from '../team/erasure.ts';
import type { Holder, IssuedTokens, WebSessionCommands } from '../web-session/index.ts';

export interface DeviceGrantPorts extends CommandPorts {
  /** Key the names of grants and the hashes of device codes. */
  readonly peppers: Pick<Peppers, 'naming' | 'newest' | 'known'>;
  /** How long the owner may take to answer, milliseconds. */
  readonly ttlMs: number;
  readonly webSessions: Pick<WebSessionCommands, 'open' | 'refresh'>;
  /** The account's current login epoch. */
  readonly epochOf: (accountId: AccountId) => Promise<number>;
}

/** The codes that a device shows and polls with. Returned once, not stored. */
export interface RequestedGrant {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
}

/** A grant after its owner's answer. */
export interface AnsweredGrant {
  readonly clientId: DeviceClient;
  readonly scopes: readonly DeviceScope[];
  readonly approved: boolean;
  readonly position: Position | undefined;
}

/** Polling interval of a device that was not slowed down (RFC 8628, 3.5). */
const intervalSeconds = 5;

/** The device flow: a device asks, its owner answers in a web session, and the device collects a session of its own. */
export const createDeviceGrantCommands = (ports: DeviceGrantPorts) =>
  bindPorts(ports, { request, redeem, refresh, answer });

export type DeviceGrantCommands = ReturnType<typeof createDeviceGrantCommands>;

/** @param scope space-separated as in OAuth; by default everything that a device may have */
async function request(
  ports: DeviceGrantPorts,
  clientId: string,
  scope: string | undefined,
  context: CommandContext,
): Promise<RequestedGrant> {
  const facts = { clientId: knownClient(clientId), scopes: scopesIn(scope) };
  const at = now(ports);
  const expiresAt = after(at, ports.ttlMs);
  for (let attempt = 1; ; attempt += 1) {
    const { userCode, grant } = issueUserCode(ports.peppers.naming);
    const deviceCode = newDeviceCode(grant);
    const hashed = hashDeviceCode(deviceCode, ports.peppers.newest);
    const granted = { ...facts, deviceCode: hashed, intervalSeconds, expiresAt, at };
    const step = stepContext(context, `request-grant ${attempt}`);
    try {
      await run(ports, grant, { type: 'RequestGrant', ...granted }, step, { create: true });
      return { deviceCode, userCode, expiresInSeconds: Math.floor(ports.ttlMs / 1000), intervalSeconds };
    } catch (error) {
      // One in 25 billion: the user code is in use.
      if (!(error instanceof Refusal) || error.slug !== 'conflict' || attempt === 3) throw error;
    }
  }
}

/**
 * Opens the device's session once its owner has approved; until then throws the OAuth error that says how to continue. The code
 * is used up before the session is opened: of two concurrent polls one gets it, and after a crash in between the code is void.
 */
async function redeem(
  ports: DeviceGrantPorts,
  deviceCode: string,
  clientId: string,
  holder: Holder,
  context: CommandContext,
): Promise<IssuedTokens> {
  const grant = grantOfDeviceCode(deviceCode);
  if (grant === undefined) throw oauthRefusal('invalid_grant');
  const at = now(ports);
  const deviceCodes = byEach(ports.peppers, (pepper) => hashDeviceCode(deviceCode, pepper));
  const poll = { type: 'PollGrant', deviceCodes, clientId: knownClient(clientId), at } as const;
  const { state, events } = await run(ports, grant, poll, stepContext(context, 'poll-grant'));
  if (state.status !== 'authorized') {
    const isSlowed = events.some(({ type }) => type === 'DeviceGrantSlowed');
    throw oauthRefusal(isSlowed ? 'slow_down' : 'authorization_pending');
  }
  const { accountId, scopes, epoch } = state;
  // The owner has ended all sessions since, or the account is erased: a new session would have ended too.
  if ((await ports.epochOf(accountId)) > epoch || (await isErased(ports, accountId)))
    throw oauthRefusal('invalid_grant');
  const by = ownedContext(context, accountId);
  await run(ports, grant, { type: 'RedeemGrant', at }, stepContext(by, 'redeem-grant'));
  const session = { accountId, scopes: [...scopes], epoch, confirmed: false };
  return ports.webSessions.open({ ...session, kind: 'device' }, holder, by);
}

/** Refreshes the tokens of a device's session. */
async function refresh(
  { webSessions, epochOf }: DeviceGrantPorts,
  refreshToken: string,
  clientId: string | undefined,
  holder: Holder,
  context: CommandContext,
): Promise<IssuedTokens> {
  if (clientId !== undefined) knownClient(clientId);
  try {
    return await webSessions.refresh(refreshToken, 'device', holder, epochOf, context);
  } catch (error) {
    if (error instanceof Refusal && error.slug === 'invalid-auth-token') throw oauthRefusal('invalid_grant');
    throw error;
  }
}

/** Records the owner's answer to the device with this code; throws `not-found` if no device waits with it. */
async function answer(
  ports: DeviceGrantPorts,
  accountId: AccountId,
  userCode: string,
  approved: boolean,
  context: CommandContext,
): Promise<AnsweredGrant> {
  const grant = grantOfUserCode(userCode, ports.peppers.naming);
  if (grant === undefined) throw unknownCode();
  const epoch = await ports.epochOf(accountId);
  const command = { type: 'AnswerGrant', accountId, approve: approved, epoch, at: now(ports) } as const;
  const { state, position } = await run(ports, grant, command, ownedContext(context, accountId));
  if (state.status === 'none') throw unknownCode();
  return { clientId: state.clientId, scopes: state.scopes, approved, position };
}

const run = (
  { runner }: DeviceGrantPorts,
  grant: string,
  command: DeviceGrantCommand,
  context: CommandContext,
  options?: RunOptions,
) => runner.run(deviceGrant, grant, command, context, options);

function knownClient(clientId: string): DeviceClient {
  const known = deviceClients.find((each) => each === clientId);
  if (known === undefined) throw oauthRefusal('invalid_client');
  return known;
}

function scopesIn(scope = deviceScopes.join(' ')): DeviceScope[] {
  const asked = scope.split(' ').filter((each) => each !== '');
  const known = deviceScopes.filter((each) => asked.includes(each));
  if (known.length === 0 || known.length < new Set(asked).size) throw oauthRefusal('invalid_scope');
  return known;
}
