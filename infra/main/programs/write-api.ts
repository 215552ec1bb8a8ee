import { runRole } from '../roles/run-role.ts';
import { writeApi } from '../roles/write-api.ts';

runRole('write-api', writeApi);
