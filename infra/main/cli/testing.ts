import { randomBytes } from 'node:crypto';
import type { ReadSide } from '../../../projections/testing/index.ts';
import { tempDir } from '../../verification/testbed/index.ts';

/** The environment for operator's commands on these stores. */
export const operatorOf = ({ storeUrl, url }: Pick<ReadSide, 'storeUrl' | 'url'>) => ({
  ...process.env,
  DATA_DIR: tempDir('data'),
  EVENTSTORE_URL: storeUrl,
  POSTGRES_URL: url,
  MASTER_KEY: randomBytes(32).toString('base64'),
  KEY_PEPPER: randomBytes(32).toString('base64'),
});
