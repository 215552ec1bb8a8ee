import { createHash, randomBytes } from 'node:crypto';
import { v5 as uuidv5 } from 'uuid';
import { toId, type NodeId } from '../../../contracts/ids.ts';
import type { KeyList } from '../../platform/key-list.ts';
import { decryptByAny, encrypt } from '../../vault/cipher.ts';

/*
 * One secret per node, 256 random bits, made by the node and used as a bearer token in both directions.
 *
 * Events hold its SHA-256, which is enough to recognise it and no use for calling anyone: a random secret of this length has
 * no need of a slow hash. The control plane also has to *send* it, so `ephemeral.nodes` keeps it encrypted under a key that is
 * not in the database. Nothing is lost with that row: each heartbeat carries the secret and seals it again.
 */

export const createCredential = (): string => randomBytes(32).toString('base64url');

export const hashCredential = (credential: string): string =>
  createHash('sha256').update(credential).digest('hex');

/** Namespace of node ids; any fixed uuid does. */
const nodeNamespace = '6f1f0a54-3a3f-5d0c-9f43-0c6d6c1d7a52';

/** A node's id follows from its secret, so a registration sent twice, or by a restarted node, is the same node. */
export const nodeIdOf = (credential: string): NodeId =>
  toId('node', uuidv5(hashCredential(credential), nodeNamespace));

/** `key` is 32 bytes and the same in every process of the control plane. */
export const sealCredential = (key: Buffer, node: NodeId, credential: string): Buffer =>
  encrypt(key, Buffer.from(credential), node);

/** Throws when the row belongs to another node or was sealed under none of the keys. */
export const openCredential = (keys: KeyList<Buffer>, node: NodeId, sealed: Buffer): string =>
  decryptByAny(keys, sealed, node).toString();
