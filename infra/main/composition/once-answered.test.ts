import { expect } from 'chai';
import pino from 'pino';
import { ConfigError } from '../../config/index.ts';
import { createLifetime } from '../lifetime.ts';
import { onceAnswered } from './once-answered.ts';

const logger = pino({ level: 'silent' });

describe('the request that a role sends to a store at its start', () => {
  it('is repeated until the store answers', async () => {
    let asked = 0;
    const answer = await onceAnswered({ logger, lifetime: createLifetime(logger) }, () => {
      asked += 1;
      return asked < 3 ? Promise.reject(new Error('connect ECONNREFUSED')) : Promise.resolve('here');
    });
    expect([answer, asked]).to.deep.equal(['here', 3]);
  });

  it('is not repeated if the configuration is wrong', async () => {
    const wrong = new ConfigError(['KEY_PEPPER is wrong.']);
    const error = await onceAnswered({ logger, lifetime: createLifetime(logger) }, () =>
      Promise.reject(wrong),
    ).catch((thrown: unknown) => thrown);
    expect(error).to.equal(wrong);
  });

  it('is given up when the process stops', async () => {
    const lifetime = createLifetime(logger);
    const error = await onceAnswered({ logger, lifetime }, () => {
      lifetime.end();
      return Promise.reject(new Error('connect ECONNREFUSED'));
    }).catch((thrown: unknown) => thrown);
    expect(error).to.have.property('name', 'AbortError');
  });
});
