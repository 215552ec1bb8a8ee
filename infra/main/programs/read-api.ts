import { openKeys, openStores } from '../composition/ports.ts';
import { readApi } from '../roles/read-api.ts';
import { runRole } from '../roles/run-role.ts';

runRole('read-api', async (context) => readApi(await openKeys(openStores(context))));
