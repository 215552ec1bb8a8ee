import { expect } from 'chai';

/** The error that the call rejects with. */
export async function errorOf<E>(call: PromiseLike<unknown>, type: new (...given: never[]) => E): Promise<E> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).to.be.instanceOf(type);
  return error as E;
}
