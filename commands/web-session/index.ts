import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Scope } from '../../contracts/events/api-key.ts';
import { Refusal } from '../../contracts/problems.ts';
import { toId, uuidOf, type AccountId, type WebSessionId } from '../../contracts/ids.ts';
import {
  refreshRefused,
  webSession,
  type OpenWebSession,
  type WebSessionCommand,
} from '../../domain/web-session.ts';
import { after } from '../../domain/kit/time.ts';
import type { AccessTokens } from '../../infra/credentials/access-tokens.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { byEach, type Peppers } from '../../infra/keys/index.ts';
import { isRefreshToken, readRefreshToken, refreshToken } from '../../infra/keys/refresh-token.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { now, ownedContext, stepContext, type CommandContext } from '../engine/context.ts';
import { openSealed } from '../engine/open-sealed.ts';
import type { CommandPorts } from '../engine/runner.ts';

export interface WebSessionPorts extends CommandPorts {
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly tokens: Pick<AccessTokens, 'access' | 'expiresInSeconds'>;
  /** Peppers of the stored holder's HMAC. */
  readonly peppers: Pick<Peppers, 'known'>;
  /** Lifetime of a session without a refresh, in milliseconds. */
  readonly refreshMs: number;
  /** How long a second factor counts as fresh, milliseconds. */
  readonly freshMs: number;
}

/** The holder of the tokens, by the properties of its requests. */
export interface Holder {
  readonly ip: string | null;
  readonly userAgent: string | null;
}

export interface NewWebSession {
  readonly accountId: AccountId;
  readonly kind: OpenWebSession['kind'];
  readonly scopes: Scope[];
  /** The account's current login epoch. */
  readonly epoch: number;
  /** Whether a second factor was given. */
  readonly confirmed: boolean;
}

/** The tokens issued at a sign-in. */
export interface IssuedTokens {
  readonly webSessionId: WebSessionId;
  readonly accountId: AccountId;
  readonly epoch: number;
  readonly scopes: readonly Scope[];
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
  readonly position: Position | undefined;
}

const field = 'web session seed';

/** Opens, refreshes, confirms and ends the sessions of people and of their devices. */
export const createWebSessionCommands = (ports: WebSessionPorts) => ({
  open: (session: NewWebSession, holder: Holder, by: CommandContext) => open(ports, session, holder, by),

  /** The next tokens for a refresh token of that kind of session; `epochOf`: the account's login epoch. */
  async refresh(
    text: string,
    kind: OpenWebSession['kind'],
    holder: Holder,
    epochOf: (accountId: AccountId) => Promise<number>,
    by: CommandContext,
  ): Promise<IssuedTokens> {
    const { claim, session, seed } = await refreshable(ports, text, kind);
    if ((await epochOf(session.accountId)) > session.epoch) throw refreshRefused();
    const { generation, webSessionId } = claim;
    const at = now(ports);
    const command = {
      type: 'RefreshWebSession',
      ...{ generation, holders: holdersOf(ports, holder), refreshUntil: after(at, ports.refreshMs), at },
    } as const;
    const { state, position } = await run(ports, webSessionId, command, ownedContext(by, session.accountId));
    if (state.status !== 'open') throw refreshRefused();
    return issued(ports, state, seed, position);
  },

  /** The session of a refresh token; undefined for an invalid one. Rejects if that cannot be read. */
  async sessionOf(text: string): Promise<OpenWebSession | undefined> {
    try {
      return (await refreshable(ports, text)).session;
    } catch (error) {
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  },

  /** Records that a second factor was given. */
  async confirm(id: WebSessionId, by: CommandContext) {
    const at = now(ports);
    const { position } = await run(ports, id, { type: 'ConfirmWebSession', at }, by);
    return { freshUntil: after(at, ports.freshMs), position };
  },

  end: async (id: WebSessionId, by: CommandContext): Promise<Position | undefined> =>
    (await run(ports, id, { type: 'EndWebSession', reason: 'signed_out', at: now(ports) }, by)).position,
});

export type WebSessionCommands = ReturnType<typeof createWebSessionCommands>;

const run = (
  { runner }: WebSessionPorts,
  id: WebSessionId,
  command: WebSessionCommand,
  context: CommandContext,
  create = false,
) => runner.run(webSession, uuidOf(id), command, context, { create });

/** HMACs of a holder under each pepper. */
const holdersOf = ({ peppers }: WebSessionPorts, { ip, userAgent }: Holder) =>
  byEach(peppers, (pepper) =>
    createHmac('sha256', pepper)
      .update(JSON.stringify(['holder', ip, userAgent]))
      .digest('base64url'),
  );

async function open(
  ports: WebSessionPorts,
  { confirmed, ...session }: NewWebSession,
  holder: Holder,
  by: CommandContext,
): Promise<IssuedTokens> {
  const { accountId } = session;
  const webSessionId = toId('webSession', randomUUID());
  const seed = randomBytes(32).toString('base64url');
  const at = now(ports);
  const command = {
    type: 'OpenWebSession',
    ...session,
    ...{ webSessionId, sealedSeed: await ports.vault.seal(accountId, field, seed) },
    ...{ holder: holdersOf(ports, holder)[0], refreshUntil: after(at, ports.refreshMs) },
    confirmedAt: confirmed ? at : null,
    at,
  } as const;
  const context = stepContext(ownedContext(by, accountId), `open ${webSessionId}`);
  const { state, position } = await run(ports, webSessionId, command, context, true);
  if (state.status !== 'open') throw new Error(`${webSessionId} was not opened.`);
  return issued(ports, state, seed, position);
}

/** Tokens of the session's present generation. */
async function issued(
  { tokens }: WebSessionPorts,
  { webSessionId, accountId, generation, epoch, scopes }: OpenWebSession,
  seed: string,
  position: Position | undefined,
): Promise<IssuedTokens> {
  return {
    ...{ webSessionId, accountId, epoch, scopes, position },
    accessToken: await tokens.access({ webSessionId, accountId }),
    refreshToken: refreshToken({ webSessionId, generation }, seed),
    expiresInSeconds: tokens.expiresInSeconds,
  };
}

/** The session of a refresh token; throws unless it is open and the token's HMAC matches. */
async function refreshable({ runner, vault }: WebSessionPorts, text: string, kind?: OpenWebSession['kind']) {
  const claim = readRefreshToken(text);
  if (claim === undefined) throw refreshRefused();
  const { state: session } = await runner.load(webSession, uuidOf(claim.webSessionId));
  if (session.status !== 'open' || (kind ?? session.kind) !== session.kind) throw refreshRefused();
  const seed = await openSealed(vault, session.accountId, field, session.sealedSeed);
  if (seed === null || !isRefreshToken(text, claim, seed)) throw refreshRefused();
  return { claim, session, seed };
}
