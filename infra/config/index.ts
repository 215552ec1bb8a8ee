export { configurationPage } from './load.ts';
export { ConfigError, describeConfig, loadConfig, need, type Config, type Environment } from './load.ts';
export { variables } from './variables/index.ts';
