import type { CredentialKind } from './credentials.ts';
import type { TSchema } from './schema.ts';
import type { ProblemSlug } from './problems.ts';
import type { Scope } from './events/api-key.ts';
import type { AddressBucket, Bucket } from './rate-buckets.ts';
import type { Tag } from './tags.ts';

/**
 * A row of the authorisation table: a public route with its access rules and its schemas. The guard, the
 * validators, the OpenAPI documents, the gateway's routing and the tests are generated from these rows.
 */
export interface Route {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In OpenAPI form: `/v1/sessions/{id}`. */
  readonly path: string;
  /** Which of the two APIs serves it. A read that claims the driver is a write. */
  readonly side: 'read' | 'write';
  readonly summary: string;
  readonly tag: Tag;
  /** Null: no credential. Else any one of these scopes is enough. */
  readonly scopes: readonly Scope[] | null;
  /** The kinds of credential it takes; without it, every kind. */
  readonly credentials?: readonly CredentialKind[];
  /** The query parameter that may carry the credential, for clients that cannot set headers. */
  readonly credentialInQuery?: string;
  /** Needs a fresh confirmation by the second factor of an account that has one. */
  readonly stepUp?: true;
  /** The gates it has not: it answers accounts that these keep out elsewhere. */
  readonly ungated?: readonly Gate[];
  /** The least role of a team member acting on an owner's account. */
  readonly role: 'member' | 'admin';
  /** Whether `X-Service-Account` makes the route act on a team owner's account. */
  readonly accountHeader: 'honored' | 'ignored';
  /** Counted by account; of a route without credential, by the address that asks. */
  readonly bucket: Bucket | AddressBucket | null;
  readonly idempotencyKey?: true;
  /** Of OAuth: takes forms beside JSON, and refusals with status 400 carry `error` (RFC 6749, 5.2). */
  readonly oauth?: true;
  /** Its handler gets the bytes of the body as they came, whatever they are: those of a callback, whose signature is over them. */
  readonly raw?: { readonly mostBytes: number };
  readonly params?: Readonly<Record<string, TSchema>>;
  readonly query?: Readonly<Record<string, TSchema>>;
  /** The headers that it takes beyond those of its kind, with what each says. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: TSchema;
  readonly bodyRequired?: boolean;
  /** A field of the body that is too large for memory: base64, decoded into a file as it arrives. */
  readonly spools?: {
    readonly field: string;
    readonly mostBytes: number;
    /**
     * Limit of bytes that an account may upload concurrently. A body beyond it is read and dropped, and the handler gets no file.
     * A content that is too large is invalid then, and not more than the account may store.
     */
    readonly accountBytes?: number;
  };
  /**
   * Where an answer takes longer than others. `minutes`: until it begins; who asks by `Accept: text/event-stream` gets a stream whose
   * last frame is the answer. `endless`: as a stream of events, for as long as it is read.
   */
  readonly lasts?: 'minutes' | 'endless';
  readonly success: {
    readonly status: number;
    readonly body: TSchema | null;
    /** Default `application/json`; several are separated by commas. */
    readonly contentType?: string;
    /** Beyond those of every reply, with what each says. */
    readonly headers?: Readonly<Record<string, string>>;
    readonly description: string;
  };
  /** Beyond those every route of its kind can give (credential, scope, rate, validation, internal). */
  readonly problems: readonly ProblemSlug[];
}

/** What keeps an account out though its credential is good: it is suspended, or has not accepted the terms in force. */
export type Gate = 'suspension' | 'terms';

/** Whether the answer names the fields of a body that were ignored: of every write that takes a credential. */
export const namesUnknownFields = ({ side, method, scopes }: Route): boolean =>
  side === 'write' && method !== 'GET' && scopes !== null;
