/** The connector for Coinbase Wallet, for `connectors` of the config. */
export * from '@latchkey/core/coinbase'
