/** Connectors that apps choose, for `wallets.connectors` of the config. */
export * from '@latchkey/core/connectors'
