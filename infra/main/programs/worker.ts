import { openKeys, openPorts, openStores } from '../composition/ports.ts';
import { worker } from '../roles/worker.ts';
import { runRole } from '../roles/run-role.ts';

runRole('worker', async (context) => worker(openPorts(await openKeys(openStores(context)))));
