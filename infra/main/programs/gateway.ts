import { runRole } from '../roles/run-role.ts';
import { gateway } from '../roles/gateway.ts';

runRole('gateway', gateway);
