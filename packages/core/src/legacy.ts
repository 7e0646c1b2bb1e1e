/** Converts the configuration of an app that was written for older versions. */
export {
  fromLegacyConfig,
  type LegacyConfig,
  type LegacyFeatures,
} from './legacy/fromLegacyConfig.ts'
