// The parts of injected wallet APIs that are used here.

/** The provider that UniSat (https://docs.unisat.io) and compatible wallets inject. */
export type BitcoinProvider = {
  requestAccounts(): unknown
  getAccounts?: () => unknown
  getPublicKey?: () => unknown
  signMessage?: (message: string, type: string) => unknown
  signPsbt?: (psbtHex: string, options: object) => unknown
  sendBitcoin?: (to: string, satoshis: number) => unknown
  on?: (event: string, listener: (accounts: unknown) => void) => unknown
  removeListener?: (event: string, listener: (accounts: unknown) => void) => unknown
}

/** The provider that a wallet's entry in `window.btc_providers` points to. */
export type SatsConnectProvider = {
  request(method: string, params?: object): unknown
  addListener?: (event: string, listener: (event: unknown) => void) => unknown
}
