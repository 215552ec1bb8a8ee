/** Whether each package is there, by its name. */
type Packages = Readonly<Record<string, () => boolean>>;

export const browserPackages: Packages;
export const redisPackages: Packages;
export const chromiumPackages: Packages;
export const testPackages: Packages;
export const containerPackages: Packages;
export const hostPackages: Packages;
export const treePackages: Packages;
export const machinePackages: Packages;
export const restorePackages: Packages;
/** Installs what is missing, as root or by a password-less sudo. Returns the names that could not be installed. */
export function ensureDebianPackages(packages: Packages): readonly string[];
/** Installs what is missing, or says how to and ends the process. `purpose`: a sentence, why it is needed. */
export function needDebianPackages(packages: Packages, purpose: string): void;
export function installCommand(packages: readonly string[]): string;
