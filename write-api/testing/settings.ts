import { expect } from 'chai';
import { uuidOf } from '../../contracts/ids.ts';
import { outcomeOf, startWholeService } from '../../infra/verification/security/whole-service.ts';
import type { WriteSideOptions } from '../testing.ts';

/** Texts that no column can store. */
export const unstorable = ['a\0b', '\ud800', 'x\udfff'];

/** The whole service, with common steps of settings tests. */
export async function startSettings(options: WriteSideOptions = {}) {
  const service = await startWholeService(options);
  /** Resolves once staff's change is in the read models. */
  const seen = async <Made>(made: Promise<Made>): Promise<Made> => {
    const result = await made;
    await service.caughtUp();
    return result;
  };
  const send = (token: string, target: string, body?: unknown) =>
    service.call(target, { token, ...(body !== undefined && { body }) });
  return {
    service,
    seen,
    send,
    get: async (token: string, path: string) => (await send(token, `GET ${path}`)).json,
    account: () => seen(service.staff.account('team')),
    /** Asserts that each of the bodies is invalid. */
    refused: async (token: string, target: string, bodies: readonly unknown[]) => {
      for (const body of bodies)
        expect(outcomeOf(await send(token, target, body)), JSON.stringify(body)).to.equal(
          'validation-failed',
        );
    },
    /** Recorded events of an account's settings: types, with the data as text. */
    recorded: async (category: string, accountId: string) =>
      (await service.events(`${category}-${uuidOf(accountId)}`)).map(({ type, data }) => [
        type,
        JSON.stringify(data),
      ]),
  };
}

export type Settings = Awaited<ReturnType<typeof startSettings>>;
