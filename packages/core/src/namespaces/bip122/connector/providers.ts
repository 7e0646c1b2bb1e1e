// What wallets put into a page, as far as it is used here.

/** What UniSat injects (https://docs.unisat.io), and others after it. */
export type InjectedProvider = {
  requestAccounts(): unknown
  getAccounts?: () => unknown
  getPublicKey?: () => unknown
  signMessage?: (message: string, type: string) => unknown
  signPsbt?: (psbtHex: string, options: object) => unknown
  sendBitcoin?: (to: string, satoshis: number) => unknown
  on?: (event: string, listener: (accounts: unknown) => void) => unknown
  removeListener?: (event: string, listener: (accounts: unknown) => void) => unknown
}

/** What a wallet puts where its entry of `window.btc_providers` says. */
export type SatsConnectProvider = {
  request(method: string, params?: object): unknown
  addListener?: (event: string, listener: (event: unknown) => void) => unknown
}
