/** Methods that a person decides, in the popup. Everything else goes to the bridge. */
export const askingMethods: ReadonlySet<string> = new Set([
  'eth_requestAccounts',
  'wallet_requestPermissions',
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'wallet_sendCalls',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
  'wallet_watchAsset',
  'solana_requestAccounts',
  'solana_signIn',
  'solana_signMessage',
  'solana_signTransaction',
  'solana_signAllTransactions',
  'solana_signAndSendTransaction',
  'polkadot_requestAccounts',
  'polkadot_signMessage',
  'polkadot_signTransaction',
  'bip122_requestAddresses',
  'signMessage',
  'signPsbt',
  'sendTransfer',
])

/** The ones of them that a page may use only once it is connected. */
export const signingMethods: ReadonlySet<string> = new Set([
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'wallet_sendCalls',
])

export const connectMethods: ReadonlySet<string> = new Set([
  'eth_requestAccounts',
  'wallet_requestPermissions',
  'solana_requestAccounts',
  'polkadot_requestAccounts',
  'bip122_requestAddresses',
])

/** WalletConnect's methods of Bitcoin, and how a page of this browser asks for addresses. */
export const bitcoinMethods: ReadonlySet<string> = new Set([
  'bip122_requestAddresses',
  'signMessage',
  'signPsbt',
  'sendTransfer',
])
