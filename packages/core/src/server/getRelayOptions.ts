import type { RelayOptions, WalletOptions } from '../app.ts'

/** The relay that an app names; no fields if it uses the server's. */
export const getRelayOptions = ({ walletConnect }: WalletOptions): RelayOptions =>
  typeof walletConnect === 'object' ? walletConnect : {}
