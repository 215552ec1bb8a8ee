import { expect } from 'chai';
import { startWholeService, type WholeService } from '../../infra/verification/security/whole-service.ts';
import { aPerson, type Person } from '../../write-api/testing/team.ts';
import { fixedClock } from '../../write-api/testing.ts';
import { dataOf } from '../testing.ts';

/** The whole service for the tests of a suite, and calls about profiles. */
export function useProfiles() {
  const clock = fixedClock();
  let service: WholeService;
  before(async () => {
    service = await startWholeService({ clock });
  });
  after(() => service.close());

  const call = (token: string, target: string, body?: object, headers: Record<string, string> = {}) =>
    service.call(target, { token, headers, ...(body && { body }) });
  const made = async (token: string, name: string) => {
    const { status, json, text } = await call(token, 'POST /v1/profiles', { name });
    expect(status, text).to.equal(201);
    clock.advance(1000);
    return String(json.id);
  };
  const captured = async (token: string, id: string, label = 'as it was') => {
    const { status, json, text } = await call(token, `POST /v1/profiles/${id}/snapshots`, { label });
    expect(status, text).to.equal(201);
    clock.advance(1000);
    return String(json.id);
  };
  const idsIn = async (token: string, path: string) =>
    dataOf<{ id: string }>(await call(token, `GET ${path}`)).map(({ id }) => id);
  const person = async (options?: Parameters<typeof aPerson>[1]): Promise<Person> => {
    const created = await aPerson(service, options);
    await service.caughtUp();
    return created;
  };
  return { clock, service: () => service, call, made, captured, idsIn, person };
}
