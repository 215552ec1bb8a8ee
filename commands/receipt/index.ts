import { createHash } from 'node:crypto';
import { v5 as uuidv5 } from 'uuid';
import type { RouteId } from '../../contracts/routes/index.ts';
import { problems, Refusal, refuse, TransientRefusal } from '../../contracts/problems.ts';
import { answerField, unkeyed } from '../../contracts/events/receipt.ts';
import { receipt, type KeptAnswer, type Receipt, type ReceiptCommand } from '../../domain/receipt.ts';
import { after } from '../../domain/kit/time.ts';
import { EventStoreUnavailable, type Position } from '../../infra/event-store/client/types.ts';
import { AccountErased, type Sealer, type Vault } from '../../infra/vault/index.ts';
import { now, stepContext, type Caller } from '../engine/context.ts';
import { openSealed } from '../engine/open-sealed.ts';
import { Contended, type CommandPorts, type RunOptions } from '../engine/runner.ts';

export interface ReceiptPorts extends CommandPorts {
  readonly vault: Pick<Vault, 'sealer' | 'open'>;
  /** Keyed digests, one under each known pepper, newest first. */
  readonly keyedDigests: (text: string) => readonly [string, ...string[]];
  /** Lifetime of a receipt in ms. */
  readonly retentionMs: number;
  /**
   * How long after its admission a request may begin to take effect, in ms. Without an effect after that, it counts
   * as dead.
   */
  readonly beginsWithinMs: number;
}

export interface KeyedRequest {
  readonly caller: Caller;
  readonly route: RouteId;
  /** The `Idempotency-Key`. */
  readonly key: string;
  readonly body: object;
  /** The body with the fields that are ignored, which counted in earlier releases. Default: the same. */
  readonly wholeBody?: object;
}

/** A settled creation, with the body of its answer. */
export type Settled<Body> =
  | { readonly kind: 'created'; readonly body: Body }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** The outcome of a creation; it does not change once it is settled. */
export type Outcome<Body> =
  | Settled<Body>
  /** Under way: it will settle. */
  | { readonly kind: 'creating' }
  /** The key's request has had no effect so far. */
  | { readonly kind: 'absent' };

/** The work that a key protects. `Id` is the id of the resource that it creates. */
export interface KeyedWork<Id extends string, Body> {
  readonly newId: () => Id;
  /**
   * Admits the request. A refusal here has no effect and leaves the key free; any refusal by `run` is stored. Without `admit`,
   * the kind of a refusal decides which of the two applies.
   */
  readonly admit?: (id: Id) => Promise<void>;
  readonly run: (id: Id) => Promise<{ readonly body: Body; readonly position?: Position | undefined }>;
  /** Derived from the resource's stream, for a run whose answer was not stored. */
  readonly outcome: (id: Id) => Promise<Outcome<Body>>;
  /** Withdraws the resource if it does not exist, so that a late run cannot create it; does nothing otherwise. */
  readonly withdraw: (id: Id) => Promise<void>;
}

/** An answer in its stored form. */
export interface StoredAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export interface Answer extends StoredAnswer {
  readonly position?: Position | undefined;
}

/** Renders the answer to be stored, before it is sealed. */
export type ToAnswer<Body> = (settled: Settled<Body>) => StoredAnswer;

export interface KeyedAnswer extends Answer {
  readonly replayed: boolean;
}

const namespace = '0b6f3a52-8f1e-4d5c-9f0a-3f6f2f1f7a10';

/** Runs a command on the request's receipt: the same key means the same request for any credential of the account. */
function run(
  { runner }: ReceiptPorts,
  { caller, route, key }: KeyedRequest,
  command: ReceiptCommand,
  step: string,
  options?: RunOptions,
) {
  const uuid = uuidv5(JSON.stringify([caller.accountId, route, key]), namespace);
  return runner.run(receipt, uuid, command, stepContext(caller.context, step), options);
}

/**
 * Runs a request at most once per `Idempotency-Key`: the first one is admitted, and its answer stored, byte for byte, for all
 * later ones. While its outcome is unknown, the others are refused with `conflict` and `Retry-After`. If the process dies between
 * the effect and storing the answer, the next request rebuilds the answer from the resource's own stream.
 */
export async function withReceipt<Id extends string, Body>(
  ports: ReceiptPorts,
  request: KeyedRequest,
  work: KeyedWork<Id, Body>,
  toAnswer: ToAnswer<Body>,
): Promise<KeyedAnswer> {
  const id = work.newId();
  // Before there is an effect: an answer that cannot be sealed later would be lost.
  const seal = await sealerOf(ports, request);
  const { state, events } = await admit(ports, request, id);
  const keep: Keep = (resourceId, answer) =>
    settle(ports, request, resourceId, sealedWith(seal, resourceId, answer));
  if (events.length > 0)
    return { ...(await perform(ports, request, work, toAnswer, keep, id)), replayed: false };
  if (state.status === 'settled') return { ...(await openedAnswer(ports, request, state)), replayed: true };
  if (state.status === 'admitted') return resume(ports, request, work, toAnswer, keep, state);
  throw stillRunning();
}

type Keep = (resourceId: string, answer: StoredAnswer) => Promise<unknown>;

async function sealerOf({ vault }: ReceiptPorts, { caller }: KeyedRequest): Promise<Sealer> {
  try {
    return await vault.sealer(caller.accountId);
  } catch (error) {
    if (error instanceof AccountErased)
      throw refuse('unauthorized', 'The account of this credential is erased.');
    throw error;
  }
}

const sealedWith = (
  seal: Sealer,
  resourceId: string,
  { status, contentType, body }: StoredAnswer,
): KeptAnswer => ({
  status,
  contentType,
  body: seal(answerField(resourceId), body),
  sealed: true,
});

const stillRunning = () =>
  refuse('conflict', 'The first request with this idempotency key has not been answered yet.', {
    retry_after_seconds: 1,
  });

function admit(ports: ReceiptPorts, request: KeyedRequest, resourceId: string) {
  const { caller, route, body, wholeBody = body } = request;
  const at = now(ports);
  const expiresAt = after(at, ports.retentionMs);
  const { accountId } = caller;
  const [text, whole] = [canonical(body), canonical(wholeBody)];
  // The same body in another account, or on another route, has another digest.
  const digestsOf = (each: string) => ports.keyedDigests(JSON.stringify([accountId, route, each]));
  const [newest, ...others] = digestsOf(text);
  const older = whole === text ? others : [...others, ...digestsOf(whole)];
  const unkeyedDigest = unkeyed(createHash('sha256').update(whole).digest('hex'));
  const facts = {
    ...{ accountId, route, resourceId, expiresAt },
    digest: keyed(newest),
    otherDigests: [...older.map(keyed), unkeyedDigest],
  };
  const command = { type: 'AdmitReceipt', ...facts, at } as const;
  return run(ports, request, command, `admit ${resourceId}`, { create: true });
}

const keyed = (digest: string): string => `hmac.${digest}`;

/** Canonical JSON, independent of the order of keys, to compare request bodies. */
const canonical = (body: object): string => JSON.stringify(body, sortedKeys);

const sortedKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/**
 * Runs an admitted request and stores its answer. Throws each refusal that is not stored, and that of work with an admission of its own
 * which cannot be stored because the event log is away, since it says more than the outage would: the key stays open until the resource's
 * stream has the outcome.
 */
async function perform<Id extends string, Body>(
  ports: ReceiptPorts,
  request: KeyedRequest,
  work: KeyedWork<Id, Body>,
  toAnswer: ToAnswer<Body>,
  keep: Keep,
  id: Id,
): Promise<Answer> {
  let isAdmitted = false;
  let refused: Refusal | undefined;
  const created = async (): Promise<Answer> => {
    await work.admit?.(id);
    isAdmitted = work.admit !== undefined;
    const { body, position } = await work.run(id);
    return { ...toAnswer({ kind: 'created', body }), position };
  };
  const answer = await created().catch(async (error: unknown) => {
    // Any other error leaves the outcome unknown, and the receipt open.
    if (!(error instanceof Refusal) || isFault(error)) throw error;
    const isKept = work.admit === undefined ? await isStored(work, id, error) : isAdmitted;
    // It asks for a retry, which must not get it again as the stored answer.
    if (isKept && error instanceof Contended) throw error;
    if (isKept) {
      // Without an admission the key's next request may be carried out: its first one has no final answer.
      if (isAdmitted) refused = error;
      return toAnswer({ kind: 'refused', refusal: error });
    }
    await abandon(ports, request, id);
    throw error;
  });
  try {
    await keep(id, answer);
  } catch (error) {
    throw refused !== undefined && error instanceof EventStoreUnavailable ? refused : error;
  }
  return answer;
}

/** An internal error says nothing about the outcome. */
const isFault = ({ slug }: Refusal): boolean => problems[slug].status === 500;

/** Validation, credential and rate refusals leave the key free, and so do transient ones if there is no resource. */
async function isStored<Id extends string>(
  work: Pick<KeyedWork<Id, unknown>, 'outcome'>,
  id: Id,
  refusal: Refusal,
): Promise<boolean> {
  if ([400, 401, 403, 429].includes(problems[refusal.slug].status)) return false;
  return !(refusal instanceof TransientRefusal) || (await work.outcome(id)).kind !== 'absent';
}

async function resume<Id extends string, Body>(
  ports: ReceiptPorts,
  request: KeyedRequest,
  work: KeyedWork<Id, Body>,
  toAnswer: ToAnswer<Body>,
  keep: Keep,
  { resourceId, admittedAt }: Extract<Receipt, { status: 'admitted' }>,
): Promise<KeyedAnswer> {
  // Only `admit` writes it, from an id made by `newId`.
  const id = resourceId as Id;
  const isOverdue = ports.clock.now().getTime() >= Date.parse(admittedAt) + ports.beginsWithinMs;
  if (isOverdue) await work.withdraw(id);
  const outcome = await work.outcome(id);
  if (outcome.kind === 'creating') throw stillRunning();
  if (outcome.kind === 'absent') {
    if (!isOverdue) throw stillRunning();
    await abandon(ports, request, id);
    return withReceipt(ports, request, work, toAnswer);
  }
  const answer = toAnswer(outcome);
  await keep(id, answer);
  return { ...answer, replayed: true };
}

function settle(ports: ReceiptPorts, request: KeyedRequest, resourceId: string, answer: KeptAnswer) {
  const command = { type: 'SettleReceipt', resourceId, answer, at: now(ports) } as const;
  return run(ports, request, command, `settle ${resourceId}`);
}

async function openedAnswer(
  { vault }: ReceiptPorts,
  { caller }: KeyedRequest,
  { resourceId, answer: { sealed, ...answer } }: { readonly resourceId: string; readonly answer: KeptAnswer },
): Promise<StoredAnswer> {
  if (!sealed) return answer;
  const body = await openSealed(vault, caller.accountId, answerField(resourceId), answer.body);
  if (body === null) throw refuse('conflict', 'The answer was erased with its account.');
  return { ...answer, body };
}

const abandon = (ports: ReceiptPorts, request: KeyedRequest, resourceId: string) =>
  run(ports, request, { type: 'AbandonReceipt', resourceId, at: now(ports) }, `abandon ${resourceId}`);
