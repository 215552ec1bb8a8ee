import { resolve } from 'node:path';
import { expect } from 'chai';
import type { Environment } from '../../config/index.ts';
import { environmentOf } from './secrets.ts';

describe('the variables of a stack’s processes', () => {
  it('are those given, and the secrets of the data directory for all that are not, or empty', () => {
    const secrets = { MASTER_KEY: 'kept', CURSOR_KEY: 'kept', KEY_PEPPER: 'kept' };
    const given = { MASTER_KEY: '', CURSOR_KEY: undefined, KEY_PEPPER: 'given', PORT: '80' };
    expect(environmentOf(secrets, given, { PORT: '8080' })).to.deep.equal({
      ...{ MASTER_KEY: 'kept', CURSOR_KEY: 'kept' },
      ...{ KEY_PEPPER: 'given', PORT: '8080' },
    });
  });

  it('name the file of each secret that is given as one, and do not contain it', () => {
    const secrets = { MASTER_KEY: 'kept', METRICS_TOKEN: 'kept' };
    const given = {
      MASTER_KEY: '',
      MASTER_KEY_FILE: 'secrets/key',
      POSTGRES_URL_FILE: '/run/url',
      PORT_FILE: '/not/ours',
    };
    expect(environmentOf(secrets, given, { POSTGRES_URL: 'postgres://opened', PORT: '8080' })).to.deep.equal({
      ...{ METRICS_TOKEN: 'kept', MASTER_KEY_FILE: resolve('secrets/key') },
      ...{ POSTGRES_URL_FILE: '/run/url', QUEUE_URL_FILE: '/run/url', PORT: '8080', PORT_FILE: '/not/ours' },
    });
  });

  it('name the file of Postgres for a queue on Postgres only', () => {
    const urls = { POSTGRES_URL: 'postgres://opened', QUEUE_URL: 'postgres://opened' };
    const given = { POSTGRES_URL_FILE: '/run/url' };
    const queueOf = ({ QUEUE_URL, QUEUE_URL_FILE }: Environment) => [QUEUE_URL, QUEUE_URL_FILE];
    expect(queueOf(environmentOf({}, given, urls))).to.deep.equal([undefined, '/run/url']);
    const redis = { QUEUE_URL: 'redis://own' };
    expect(queueOf(environmentOf({}, { ...given, ...redis }, { ...urls, ...redis }))).to.deep.equal([
      'redis://own',
      undefined,
    ]);
  });
});
