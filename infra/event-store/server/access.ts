import { status, type Metadata, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { sameSecret } from '../../platform/presented-secrets.ts';
import { RpcError } from './grpc-errors.ts';

/** The only user. */
export const eventStoreUser = 'service';

interface Call {
  readonly metadata: Metadata;
  emit(event: 'error', error: RpcError): unknown;
}

/** The same methods, restricted to callers with the password; others get UNAUTHENTICATED. Without a password all are allowed. */
export function guarded<Methods extends UntypedServiceImplementation>(
  methods: Methods,
  password: string | undefined,
): Methods {
  if (password === undefined) return methods;
  const expected = `Basic ${Buffer.from(`${eventStoreUser}:${password}`).toString('base64')}`;
  const mayCall = ({ metadata }: Call): boolean => {
    const [presented] = metadata.get('authorization');
    return typeof presented === 'string' && sameSecret(presented, expected);
  };
  const guard =
    (method: (call: never, reply: never) => unknown) =>
    (call: Call, reply?: (error: RpcError) => void): void => {
      if (mayCall(call)) method(call as never, reply as never);
      else if (reply === undefined) call.emit('error', unauthenticated());
      else reply(unauthenticated());
    };
  return Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [name, guard(method as never)]),
  ) as unknown as Methods;
}

const unauthenticated = (): RpcError =>
  new RpcError(status.UNAUTHENTICATED, 'This event store asks for its user and password.');
