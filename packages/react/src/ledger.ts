/** The connector for a Ledger at this computer, for `connectors` of the config. */
export * from '@latchkey/core/ledger'
