import { runRole } from '../roles/run-role.ts';
import { projector } from '../roles/projector.ts';

runRole('projector', projector);
