/** Connectors that apps choose, for `connectors` of the config. */
export * from '@latchkey/core/connectors'
