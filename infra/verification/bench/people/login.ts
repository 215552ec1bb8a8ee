import { hash, verify } from '@node-rs/argon2';
import { Agent } from 'undici';
import { argon2id, createPasswords, type Passwords } from '../../../passwords/index.ts';
import { goodPassword, peopleOn } from '../../../../write-api/testing/sign-in.ts';
import { inFlight } from '../load.ts';
import { startStoreProcess } from '../store-process.ts';
import type { RatioSubject } from '../subject.ts';
import { instantFleet, post, startWriteSide } from '../write-side.ts';
import { calling } from './calling.ts';

const clients = 8;
/** As many as the service computes at once. */
const threads = 2;

/** Sign-ins without a hash as a warm-up, so that V8 has compiled the code as in a running service. */
const warmUp = 2_000;

/** Passwords whose check is free and succeeds, until real checks are switched on. */
function uncheckedPasswords(): Passwords & { readonly check: () => void } {
  const passwords = createPasswords();
  let isChecked = false;
  return {
    ...passwords,
    matches: async (password, passwordHash) => !isChecked || passwords.matches(password, passwordHash),
    check: () => void (isChecked = true),
  };
}

/**
 * Eight people who sign in over HTTP repeatedly, against the deliberately expensive hashes alone. The rest of a sign-in
 * (five streams, a web session, two tokens) shares the machine's cores with the hashes.
 */
export const login: RatioSubject = {
  kind: 'ratio',
  id: 'login',
  long: true,
  title: `sign-ins by password over HTTP, ${clients} in flight / bare argon2id verifications, ${threads} at once`,
  pass: 0.9,
  stretch: 0.95,
  operations: 48,
  async prepare({ directory, logger }) {
    const server = await startStoreProcess(directory);
    const agent = new Agent({ connections: clients });
    const passwords = uncheckedPasswords();
    const side = await startWriteSide(server.url, instantFleet().fleet, logger, passwords);
    const people = peopleOn({ call: calling(agent, side.base), events: side.events });
    const persons = await Promise.all(Array.from({ length: clients }, () => people.person()));
    const signIn = async (_index: number, client: number): Promise<void> => {
      const body = { email: persons[client]?.email, password: goodPassword };
      const { status, text } = await post(agent, `${side.base}/v1/auth/login`, null, body);
      if (status !== 200) throw new Error(`A sign-in failed with ${status}: ${text}`);
    };
    await inFlight(warmUp, clients, signIn);
    passwords.check();
    const stored = await hash(goodPassword, argon2id);
    return {
      ours: { name: 'POST /v1/auth/login', run: (operations) => inFlight(operations, clients, signIn) },
      raw: {
        name: 'argon2 verify',
        run: (operations) =>
          inFlight(operations, threads, async () => {
            if (!(await verify(stored, goodPassword))) throw new Error('The password does not match.');
          }),
      },
      close: async () => {
        await agent.close();
        await side.close();
        await server.stop();
      },
    };
  },
};
