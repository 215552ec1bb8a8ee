import { openStores } from '../composition/ports.ts';
import { projector } from '../roles/projector.ts';
import { runRole } from '../roles/run-role.ts';

runRole('projector', (context) => projector(openStores(context)));
