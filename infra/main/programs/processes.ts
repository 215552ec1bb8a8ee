import { openKeys, openPorts, openStores } from '../composition/ports.ts';
import { processes } from '../roles/processes.ts';
import { runRole } from '../roles/run-role.ts';

runRole('processes', async (context) => processes(openPorts(await openKeys(openStores(context)))));
