export {
  ProviderKeyRefused,
  ProviderUnavailable,
  type Grammar,
  type ModelCall,
  type ModelDecomposer,
  type ModelUsage,
  type Understood,
} from '../../infra/model/port.ts';
