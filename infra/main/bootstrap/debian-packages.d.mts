/** Whether each package is there, by its name. */
type Packages = Readonly<Record<string, () => boolean>>;

export const browserPackages: Packages;
export const testPackages: Packages;
export const containerPackages: Packages;
export const hostPackages: Packages;
export const restorePackages: Packages;
/** Installs what is missing, as root or by a password-less sudo. Returns the names that could not be installed. */
export function ensureDebianPackages(packages: Packages): readonly string[];
export function installCommand(packages: readonly string[]): string;
