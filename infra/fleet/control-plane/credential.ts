import { createHash, randomBytes } from 'node:crypto';
import { v5 as uuidv5 } from 'uuid';
import { toId, type NodeId } from '../../../contracts/ids.ts';
import type { KeyList } from '../../platform/key-list.ts';
import { decryptByAny, encrypt } from '../../vault/cipher.ts';

/*
 * A node's secret of 256 random bits, created by the node and used as a bearer token in both directions.
 *
 * Events contain its SHA-256, which identifies it but cannot be used for calls. A random secret of this length needs no
 * slow hash. The control plane must also *send* the secret, so `ephemeral.nodes` has it, encrypted with a key that is
 * not in the database. A lost row is restored by the next heartbeat, which contains the secret.
 */

export const createCredential = (): string => randomBytes(32).toString('base64url');

export const hashCredential = (credential: string): string =>
  createHash('sha256').update(credential).digest('hex');

/** Namespace of node ids; an arbitrary fixed uuid. */
const nodeNamespace = '6f1f0a54-3a3f-5d0c-9f43-0c6d6c1d7a52';

/** Derives a node's id from its secret, so a repeated registration, or one of a restarted node, is the same node. */
export const nodeIdOf = (credential: string): NodeId =>
  toId('node', uuidv5(hashCredential(credential), nodeNamespace));

/** `key`: 32 bytes, the same in every process of the control plane. */
export const sealCredential = (key: Buffer, node: NodeId, credential: string): Buffer =>
  encrypt(key, Buffer.from(credential), node);

/** Throws if the row belongs to another node or was sealed with none of the keys. */
export const openCredential = (keys: KeyList<Buffer>, node: NodeId, sealed: Buffer): string =>
  decryptByAny(keys, sealed, node).toString();
