import { runRole } from '../roles/run-role.ts';
import { readApi } from '../roles/read-api.ts';

runRole('read-api', readApi);
