/** The connector for a Ledger at this computer, for `wallets.connectors` of the config. */
export * from '@latchkey/core/ledger'
