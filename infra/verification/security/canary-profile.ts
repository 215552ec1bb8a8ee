import { expect } from 'chai';
import type { Answer } from '../../http/testing.ts';
import { until, type TestStack } from '../testbed/index.ts';

type Call = (target: string, body?: unknown) => Promise<Answer>;

interface Calls {
  /** Its answers are searched. */
  readonly call: Call;
  /** Its answers repeat what was sent. */
  readonly tell: Call;
}

/** What a page stores, and the passphrase of an export. */
interface Secrets {
  readonly stored: string;
  readonly passphrase: string;
}

/**
 * A page stores something in a session with a profile, which is saved, launched, trimmed, exported, imported and
 * purged. Returns the passphrase that was shown.
 */
export async function saveAndMove(
  stack: TestStack,
  calls: Calls,
  { stored, passphrase }: Secrets,
): Promise<readonly string[]> {
  const { call } = calls;
  const id = String((await call('POST /v1/profiles', { name: 'kept' })).json.id);
  await visit(stack, calls, id, stored);
  await visit(stack, calls, id, stored);
  expect((await call(`POST /v1/profiles/${id}/trim`, {})).status).to.equal(200);
  const { json: shown } = await call(`POST /v1/profiles/${id}/export`, {});
  const { json: sealed } = await call(`POST /v1/profiles/${id}/export`, { passphrase });
  const file = { name: 'moved', data: sealed.data };
  const wrong = await call('POST /v1/profiles/import', { ...file, passphrase: `${passphrase}!` });
  expect(wrong.status, wrong.text).to.equal(400);
  const moved = await call('POST /v1/profiles/import', { ...file, passphrase });
  expect(moved.status, moved.text).to.equal(201);
  await visit(stack, calls, String(moved.json.id), stored);
  for (const target of [`DELETE /v1/profiles/${id}`, `DELETE /v1/profiles/${id}/purge`])
    expect((await call(target)).status).to.equal(204);
  return [String(shown.passphrase)];
}

async function visit(
  stack: TestStack,
  { call, tell }: Calls,
  profile: string,
  stored: string,
): Promise<void> {
  const { json } = await call(`POST /v1/profiles/${profile}/launch`, {});
  const session = `/v1/sessions/${String(json.id)}`;
  const url = `http://sim.test/counter?for=${stored}`;
  expect((await tell(`POST ${session}/navigate`, { url })).status).to.equal(200);
  await call(`DELETE ${session}`);
  const stream = `profile-${profile.slice('prof_'.length)}`;
  await until(async () => {
    const { stdout } = await stack.service('events', 'read', stream, '--json');
    return stdout.trim().split('\n').at(-1)?.includes('"StateSaved"');
  });
}
