import type { CredentialKind } from './credentials.ts';
import type { TSchema } from './schema.ts';
import type { ProblemSlug } from './problems.ts';
import type { Scope } from './events/api-key.ts';
import type { AddressBucket, Bucket } from './rate-buckets.ts';
import type { Tag } from './tags.ts';

/**
 * A row of the authorisation table: a public route with its access rules and schemas. The guard, the validators, the OpenAPI
 * documents, the gateway's routing and the tests are generated from these rows.
 */
export interface Route {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In OpenAPI form: `/v1/sessions/{id}`. */
  readonly path: string;
  /** The API that serves it. A read that claims the browser is a write. */
  readonly side: 'read' | 'write';
  /** A `GET` of the write side that only reads, so that it answers `HEAD` like the reads. */
  readonly answersHead?: true;
  readonly summary: string;
  readonly tag: Tag;
  /** Null: no credential. Otherwise any one of these scopes suffices. */
  readonly scopes: readonly Scope[] | null;
  /** Accepted kinds of credential; default: all. */
  readonly credentials?: readonly CredentialKind[];
  /** Query parameter for the credential, for clients that cannot set headers. */
  readonly credentialInQuery?: string;
  /** Requires a fresh second factor, if the account has one. */
  readonly stepUp?: true;
  /** Gates that do not apply to it, so that it answers accounts refused elsewhere. */
  readonly ungated?: readonly Gate[];
  /** Minimum role of a team member acting on an owner's account. */
  readonly role: 'member' | 'admin';
  /** Whether `X-Service-Account` selects a team owner's account. */
  readonly accountHeader: 'honored' | 'ignored';
  /** Counted by account; for a route without credential, by client address. */
  readonly bucket: Bucket | AddressBucket | null;
  readonly idempotencyKey?: true;
  /** An OAuth route: accepts forms besides JSON, and its refusals with status 400 have `error` (RFC 6749, 5.2). */
  readonly oauth?: true;
  /** The handler gets the raw bytes of the body, such as those that a callback's signature covers. */
  readonly raw?: { readonly mostBytes: number };
  readonly params?: Readonly<Record<string, TSchema>>;
  readonly query?: Readonly<Record<string, TSchema>>;
  /** Additional headers that it reads, with descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: TSchema;
  readonly bodyRequired?: boolean;
  /**
   * Maximum bytes of a JSON body that may be larger than usual. Such a body must declare its length and consist
   * mostly of strings, and an account may send only one at a time.
   */
  readonly bodyBytes?: number;
  /** A body field too large for memory: base64, decoded into a file while it is received. */
  readonly spools?: {
    readonly field: string;
    readonly mostBytes: number;
    /**
     * Maximum bytes of concurrent uploads of an account. A larger body is read and dropped, and the handler gets no file. A
     * content above the field's own limit is reported as invalid, not as above the account's storage.
     */
    readonly accountBytes?: number;
  };
  /**
   * For slow answers. `minutes`: until it begins; with `Accept: text/event-stream` the answer is the last frame of a stream.
   * `endless`: a stream of events, until the client closes it.
   */
  readonly lasts?: 'minutes' | 'endless';
  readonly success: {
    readonly status: number;
    readonly body: TSchema | null;
    /** Default `application/json`; several are separated by commas. */
    readonly contentType?: string;
    /** Additional headers of its reply, with descriptions. */
    readonly headers?: Readonly<Record<string, string>>;
    readonly description: string;
  };
  /** In addition to those of every route of its kind (credential, scope, rate, validation, internal). */
  readonly problems: readonly ProblemSlug[];
}

/** Maximum bytes of the largest JSON bodies. */
export const largeBodyBytes = 16 * 1024 * 1024;

/** Why an account with a valid credential is refused: it is suspended, or has not accepted the present terms. */
export type Gate = 'suspension' | 'terms';

/** True if the answer lists ignored body fields: for every write with a credential. */
export const namesUnknownFields = ({ side, method, scopes }: Route): boolean =>
  side === 'write' && method !== 'GET' && scopes !== null;
