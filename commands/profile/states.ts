import { bindPorts } from '../engine/bind-ports.ts';
import { exportProfile } from './export.ts';
import { importProfile } from './import.ts';
import type { ProfileStatePorts } from './state-ports.ts';
import { trimProfile } from './trim.ts';

export type { ProfileStatePorts } from './state-ports.ts';

/** Commands of customers on the saved states of their profiles. */
export const createProfileStateCommands = (ports: ProfileStatePorts) =>
  bindPorts(ports, { export: exportProfile, import: importProfile, trim: trimProfile });

export type ProfileStateCommands = ReturnType<typeof createProfileStateCommands>;
