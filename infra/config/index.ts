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
export {
  configuredIn,
  foreignIn,
  loadConfigWithFiles,
  secretFilesIn,
  takeSecretFiles,
  withReadableSecrets,
  withSecretFiles,
} from './secret-files.ts';
export { variables } from './variables/index.ts';
