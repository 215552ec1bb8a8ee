import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { PublicTreeEvent } from '../../contracts/events/public-tree.ts';
import { pseudonymOf } from '../../contracts/audit/pseudonym.ts';
import type { AccountId } from '../../contracts/ids.ts';
import type { DataOf } from '../../domain/kit/decider.ts';
import { publicTree, publicTreeUuid, rootOfTree, type PublicTree } from '../../domain/public-tree.ts';
import type { HeadKeeper, KeptHead } from '../../infra/notes/kept-head.ts';
import { followsLine } from '../../infra/notes/note.ts';
import { AccountErased, SealUnreadable, type Vault } from '../../infra/vault/index.ts';
import { now, systemContext } from '../engine/context.ts';
import type { CommandPorts } from '../engine/runner.ts';

type Leaf = DataOf<PublicTreeEvent, 'HeadsAnchored'>['leaves'][number];

interface AccountHead {
  readonly accountId: AccountId;
  readonly size: number;
  /** Base64. */
  readonly root: string;
}

/** Signs heads of one origin. */
export interface PublicHeadSigner {
  readonly origin: string;
  /** The signed note; `more`: lines behind the checkpoint's. */
  readonly sign: (size: number, root: string, more: readonly string[]) => string;
  /**
   * Checks the signed heads of accounts against the log, and stops or resumes the signing. Resolves to the reason of a stop, or null;
   * may reject once the term is aborted. The public head must have been checked before.
   */
  readonly check: (term: AbortSignal | undefined) => Promise<string | null>;
}

export interface AnchoringPorts extends CommandPorts {
  readonly logger: Logger;
  readonly vault: Pick<Vault, 'salt'>;
  /** Heads of accounts that are not in the public tree yet, in pages. */
  readonly changedHeads: () => AsyncIterable<readonly AccountHead[]>;
  /** Number of leaves in the read model. */
  readonly projected: () => Promise<number>;
  /** Root, in base64, of the read model's first `size` leaves. */
  readonly rootAt: (size: number) => Promise<string>;
  /** Reads the current signing key. */
  readonly signer: () => Promise<PublicHeadSigner>;
  /** The last signed head, stored outside the log. */
  readonly kept: HeadKeeper;
  readonly intervalMs: number;
  /** A monotonic clock, in milliseconds. */
  readonly elapsed: () => number;
  /** Default: 500. */
  readonly leavesAnEvent?: number;
}

/** The log has less, or something else, than was signed: it was restored from before the last checkpoint. */
export class PublicHeadContradicted extends Error {
  constructor({ origin, size }: KeptHead) {
    super(
      `The log does not lead to the public head of ${size} leaves that was signed for ${origin}, so it is older than that. Nothing is ` +
        'anchored until a newer backup is restored or a new log is begun; see "A log that is older than its public head" in operations.md.',
    );
    this.name = 'PublicHeadContradicted';
  }
}

/** About 100 kB. */
const defaultLeavesAnEvent = 500;

/**
 * Anchors the heads of accounts in the public tree: appends the leaves, stores the head, and appends its note. After a crash the
 * next round continues. Each step is decided on the stream, so of two concurrent rounds one succeeds.
 */
export function createAnchoring(ports: AnchoringPorts) {
  let quietUntil = -Infinity;
  const isDue = ({ signed }: PublicTree): boolean => {
    if (signed === null) return true;
    const age = ports.clock.now().getTime() - Date.parse(signed.at);
    return ports.elapsed() >= quietUntil && (age < 0 || age >= ports.intervalMs);
  };
  return {
    /**
     * Does nothing until the last checkpoint is as old as the interval, and while the signing of the log is stopped. Ends early once
     * the term is aborted. Rejects with `PublicHeadContradicted`.
     */
    async round(term?: AbortSignal): Promise<void> {
      const { state } = await ports.runner.load(publicTree, publicTreeUuid);
      // A read model that lags would name heads that are leaves already.
      if (!isDue(state) || (await ports.projected()) < state.size) return;
      const signer = await ports.signer();
      const head = await contradictedHead(ports, state, signer);
      if (head !== undefined) throw new PublicHeadContradicted(head);
      if (await isStopped(ports, signer, term)) return;
      const leaves = await changedLeaves(ports, term);
      if (term?.aborted) return;
      await sign(ports, await addLeaves(ports, state, leaves), signer);
      quietUntil = ports.elapsed() + ports.intervalMs;
    },

    /** Why anchoring is stopped: the log contradicts the stored head. Null otherwise, and while the read model lags. */
    async contradiction(): Promise<string | null> {
      const { state } = await ports.runner.load(publicTree, publicTreeUuid);
      if ((await ports.projected()) < state.size) return null;
      const head = await contradictedHead(ports, state, await ports.signer());
      return head === undefined ? null : new PublicHeadContradicted(head).message;
    },
  };
}

/** The stored head, if it is of this log and the log contradicts it. */
async function contradictedHead(
  { kept, rootAt }: AnchoringPorts,
  { size }: PublicTree,
  { origin }: PublicHeadSigner,
): Promise<KeptHead | undefined> {
  const head = await kept.read();
  if (head?.origin !== origin) return undefined;
  return head.size > size || (await rootAt(head.size)) !== head.root ? head : undefined;
}

/** Whether the signing of the log is stopped, which is logged. */
async function isStopped(
  { logger }: AnchoringPorts,
  { check }: PublicHeadSigner,
  term: AbortSignal | undefined,
): Promise<boolean> {
  const reason = await check(term);
  if (reason === null) return false;
  logger.error({ reason }, 'Nothing is anchored; see docs/operations.md, Audit logs.');
  return true;
}

/** Incomplete once the term is aborted. */
async function changedLeaves(ports: AnchoringPorts, term: AbortSignal | undefined): Promise<Leaf[]> {
  const leaves: Leaf[] = [];
  for await (const heads of ports.changedHeads()) {
    if (term?.aborted) break;
    const found = await Promise.all(heads.map((head) => leafOf(ports, head)));
    leaves.push(...found.filter((leaf) => leaf !== undefined));
  }
  // Sorted by pseudonym, so that the order reveals nothing about the accounts.
  return leaves.sort((one, other) => (one.pseudonym < other.pseudonym ? -1 : 1));
}

async function addLeaves(
  ports: AnchoringPorts,
  before: PublicTree,
  leaves: readonly Leaf[],
): Promise<PublicTree> {
  const { leavesAnEvent = defaultLeavesAnEvent } = ports;
  let tree = before;
  for (let from = 0; from < leaves.length; from += leavesAnEvent) {
    const chunk = { first: tree.size, leaves: leaves.slice(from, from + leavesAnEvent), at: now(ports) };
    ({ state: tree } = await run(ports, { type: 'AnchorHeads', ...chunk }));
  }
  return tree;
}

/** Undefined if the account's key is destroyed, or cannot be read, which is logged: the next round tries it again. */
async function leafOf({ vault, logger }: AnchoringPorts, head: AccountHead): Promise<Leaf | undefined> {
  try {
    return { ...head, pseudonym: pseudonymOf(head.accountId, await vault.salt(head.accountId)) };
  } catch (error) {
    if (error instanceof AccountErased) return undefined;
    if (!(error instanceof SealUnreadable)) throw error;
    logger.warn({ err: error, account: head.accountId }, 'The head of an audit log was not anchored.');
    return undefined;
  }
}

async function sign(ports: AnchoringPorts, tree: PublicTree, signer: PublicHeadSigner): Promise<void> {
  const { size, signed } = tree;
  const { origin } = signer;
  if (size === 0 || (signed?.size === size && signed.origin === origin)) return;
  const root = rootOfTree(tree);
  const head = await keptFirst(ports.kept, { origin, size, root }, signer);
  await run(ports, { type: 'SignPublicHead', ...head, at: now(ports) });
}

/** Stores the head and its note before any of it is public. The first head of a new origin names the last one of the old. */
async function keptFirst(
  kept: HeadKeeper,
  { origin, size, root }: Omit<KeptHead, 'note'>,
  signer: PublicHeadSigner,
): Promise<KeptHead> {
  const before = await kept.read();
  if (before?.origin === origin && before.size === size) return before;
  const more = before === undefined || before.origin === origin ? [] : [followsLine(before)];
  const head = { origin, size, root, note: signer.sign(size, root, more) };
  await kept.write(head);
  return head;
}

const run = (ports: AnchoringPorts, command: Parameters<typeof publicTree.decide>[0]) =>
  ports.runner.run(publicTree, publicTreeUuid, command, systemContext(randomUUID(), 'timer:anchoring'));
