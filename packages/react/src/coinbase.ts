/** The connector for Coinbase Wallet, for `wallets.connectors` of the config. */
export * from '@latchkey/core/coinbase'
