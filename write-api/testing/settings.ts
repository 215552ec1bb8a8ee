import { expect } from 'chai';
import { uuidOf } from '../../contracts/ids.ts';
import { outcomeOf, startWholeService } from '../../infra/verification/security/whole-service.ts';
import type { WriteSideOptions } from '../testing.ts';

/** Text that no column can hold. */
export const unstorable = ['a\0b', '\ud800', 'x\udfff'];

/** The whole service, with what tests of settings do over and over. */
export async function startSettings(options: WriteSideOptions = {}) {
  const service = await startWholeService(options);
  /** What staff makes is in the read models by the time it is given out. */
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
    /** Each of the bodies is refused as invalid. */
    refused: async (token: string, target: string, bodies: readonly unknown[]) => {
      for (const body of bodies)
        expect(outcomeOf(await send(token, target, body)), JSON.stringify(body)).to.equal(
          'validation-failed',
        );
    },
    /** What the record has of an account's settings: types, with the data as text. */
    recorded: async (category: string, accountId: string) =>
      (await service.events(`${category}-${uuidOf(accountId)}`)).map(({ type, data }) => [
        type,
        JSON.stringify(data),
      ]),
  };
}

export type Settings = Awaited<ReturnType<typeof startSettings>>;
