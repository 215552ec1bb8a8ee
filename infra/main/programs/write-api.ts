import { openKeys, openStores } from '../composition/ports.ts';
import { writeApi } from '../roles/write-api.ts';
import { runRole } from '../roles/run-role.ts';

runRole('write-api', async (context) => writeApi(await openKeys(openStores(context))));
