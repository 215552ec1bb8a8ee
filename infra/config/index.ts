export { configurationPage } from './load.ts';
export {
  ConfigError,
  configuredSecrets,
  describeConfig,
  loadConfig,
  need,
  setIn,
  type Config,
  type Environment,
} from './load.ts';
export { takeSecretFiles } from './secret-files.ts';
export { variables } from './variables/index.ts';
