import { agents, type AgentsArea } from './agents.ts';
import { operationsIn } from './area.ts';
import { Call } from './call.ts';
import { Connection } from './connection.ts';
import * as plain from './generated/areas.ts';
import * as tables from './generated/operations.ts';
import type { Operation } from './operation.ts';
import type { CallOptions, ServiceOptions } from './options.ts';
import { profiles, type ProfilesArea } from './profiles.ts';
import { withQuery } from './request.ts';
import { sessions, type SessionsArea } from './sessions.ts';
import { webhooks, type WebhooksArea } from './webhooks.ts';

/** Areas with more than one method per operation. */
interface OwnAreas {
  readonly agents: AgentsArea;
  readonly profiles: ProfilesArea;
  readonly sessions: SessionsArea;
  readonly webhooks: WebhooksArea;
}

type AllAreas = OwnAreas & {
  readonly [Name in Exclude<keyof plain.Areas, keyof OwnAreas>]: plain.Areas[Name];
};

const allAreas = (connection: Connection): AllAreas => {
  const made = Object.entries({ ...plain, agents, profiles, sessions, webhooks }).map(
    ([name, make]) => [name, make(connection)] as const,
  );
  return Object.fromEntries(made) as unknown as AllAreas;
};

export interface RequestOptions extends CallOptions {
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** The whole service: an area per noun, with a method per operation. */
export interface Service extends AllAreas {
  /** The highest position of all answers so far. Pass it to another process for its reads to include writes of this one. */
  readonly position: string | undefined;
  /** Any request, including ones without a method. A write is retried only with your `idempotencyKey`. */
  request<T = unknown>(method: string, path: string, options?: RequestOptions): Call<T>;
}

/** An operation of the API, named as in the OpenAPI document. */
export interface ListedOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
}

interface ServiceConstructor {
  new (options: ServiceOptions): Service;
  /** Every operation with a method. */
  readonly operations: readonly ListedOperation[];
}

const known = (): readonly Operation[] =>
  Object.entries(tables.prefixes).flatMap(([name, prefix]) =>
    operationsIn(prefix, tables[name as keyof typeof tables.prefixes]),
  );

class WholeService {
  readonly #connection: Connection;

  static get operations(): readonly ListedOperation[] {
    return known().map(({ id, method, path }) => ({ operationId: id, method, path }));
  }

  constructor(options: ServiceOptions) {
    this.#connection = new Connection(options);
    Object.assign(this, allAreas(this.#connection));
  }

  get position(): string | undefined {
    return this.#connection.position;
  }

  request<T>(method: string, path: string, { query = {}, body, ...options }: RequestOptions = {}): Call<T> {
    const operation = {
      ...operationAt(method.toUpperCase(), path, options),
      takes: 'json',
      gives: 'any',
    } as const;
    return new Call(this.#connection.send<T>(operation, { ...options, body, path: withQuery(path, query) }));
  }
}

/** The operation of a path, or conservative defaults for an unknown one. */
function operationAt(method: string, path: string, { idempotencyKey }: CallOptions): Operation {
  if (!/^\/(?!\/)/.test(path)) throw new TypeError('Give the path, from its first slash on.');
  const [place = ''] = path.split('?');
  const found = known().find(
    (each) => each.method === method && new RegExp(`^${each.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(place),
  );
  const isRead = method === 'GET';
  const keyed = found?.keyed ?? idempotencyKey !== undefined;
  const unknown = { id: `${method} ${place}`, method, path: place, cursor: undefined, driver: false };
  return {
    ...unknown,
    gives: 'any',
    takes: 'json',
    isRead,
    keyed,
    repeatable: isRead || keyed,
    waitsForPosition: isRead,
    ...found,
  };
}

export const Service = WholeService as unknown as ServiceConstructor;
