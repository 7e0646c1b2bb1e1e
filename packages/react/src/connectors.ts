/** Ways to reach a wallet that an app chooses, for `connectors` of the config. */
export * from '@latchkey/core/connectors'
