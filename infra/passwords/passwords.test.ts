import { expect } from 'chai';
import { Refusal } from '../../contracts/problems.ts';
import { commonPasswords } from './common-passwords.ts';
import { createPasswords } from './index.ts';

const good = 'purple-otter-42-sings';
const refusal = async (work: Promise<unknown>): Promise<Refusal> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof Refusal) return error;
  throw new Error('It was not refused.');
};
/** The `code` of the field error. */
const codeOf = async (password: string) => {
  const { slug, extensions } = await refusal(createPasswords().assertAcceptable(password));
  expect(slug).to.equal('validation-failed');
  return (extensions.errors as { code: string }[])[0]?.code;
};

describe('a password', () => {
  const passwords = createPasswords();

  it('is hashed by argon2id with the parameters OWASP names, each time with another salt', async () => {
    const [one, other] = await Promise.all([passwords.hash(good), passwords.hash(good)]);
    expect(one).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.to.equal(other);
  });

  it('matches its own hash only', async () => {
    const hash = await passwords.hash(good);
    expect(await passwords.matches(good, hash)).to.equal(true);
    expect(await passwords.matches(`${good}!`, hash)).to.equal(false);
  });

  it('matches however its letters are composed', async () => {
    const hash = await passwords.hash('caf\u00e9 au lait 42');
    expect(await passwords.matches('cafe\u0301 au lait 42', hash)).to.equal(true);
  });

  it('never matches where there is no hash', async () => {
    expect(await passwords.matches('no password has this hash', null)).to.equal(false);
  });

  it('costs as much to refuse where there is no hash', async () => {
    const hash = await passwords.hash(good);
    await passwords.matches(good, null);
    // Processor time: others who use the machine do not change it.
    const median = async (against: string | null) => {
      const costs: number[] = [];
      for (let n = 0; n < 9; n += 1) {
        const before = process.cpuUsage();
        await passwords.matches('wrong', against);
        const { user, system } = process.cpuUsage(before);
        costs.push(user + system);
      }
      return costs.sort((a, b) => a - b)[4] ?? 0;
    };
    const [known, unknown] = [await median(hash), await median(null)];
    expect(unknown / known).to.be.within(0.5, 2);
  });

  it('has twelve characters, counted as people count them, and at most 1,024 bytes', async () => {
    await passwords.assertAcceptable(good);
    await passwords.assertAcceptable('ä'.repeat(512));
    expect(await codeOf('short-pass1')).to.equal('minLength');
    expect(await codeOf('🦦'.repeat(11))).to.equal('minLength');
    expect(await codeOf('ä'.repeat(513))).to.equal('maxBytes');
  });

  it('of a megabyte is refused before anything is computed of it', async () => {
    const before = process.cpuUsage();
    expect(await codeOf('x'.repeat(1_000_000))).to.equal('maxBytes');
    expect(process.cpuUsage(before).user).to.be.below(50_000);
  });

  it('is none of the commonest, in whatever case', async () => {
    expect(await codeOf('123456789012')).to.equal('common');
    expect(await codeOf('ManchesterUnited')).to.equal('common');
  });

  it('is compared with a list that is small, and read once', async () => {
    const list = await commonPasswords();
    expect(list.size).to.be.within(40_000, 50_000);
    expect(await commonPasswords()).to.equal(list);
  });
});

describe('hashing', () => {
  it('leaves the event loop free', async () => {
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 1);
    const passwords = createPasswords();
    await Promise.all(Array.from({ length: 8 }, () => passwords.hash(good)));
    clearInterval(timer);
    expect(longest).to.be.below(100);
  });

  it('is done two at once, and refused with a time to retry when the queue is full', async () => {
    const passwords = createPasswords({ concurrency: 2, queue: 3 });
    const started = Array.from({ length: 7 }, () => passwords.hash(good));
    const ended = await Promise.allSettled(started);
    expect(ended.map(({ status }) => status)).to.deep.equal([
      ...Array<string>(5).fill('fulfilled'),
      ...Array<string>(2).fill('rejected'),
    ]);
    const { slug, extensions } = await refusal(started[6] ?? Promise.resolve());
    expect([slug, extensions]).to.deep.equal(['rate-limited', { retry_after_seconds: 1 }]);
    expect(await passwords.hash(good)).to.match(/^\$argon2id/);
  });
});
