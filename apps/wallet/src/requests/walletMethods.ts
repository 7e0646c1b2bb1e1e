/** Methods that the user approves in the popup. Everything else goes to the bridge. */
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

/** The methods of {@link askingMethods} that require a connected page. */
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

/**
 * WalletConnect's methods of Bitcoin, and the method with which a page in this browser requests
 * addresses.
 */
export const bitcoinMethods: ReadonlySet<string> = new Set([
  'bip122_requestAddresses',
  'signMessage',
  'signPsbt',
  'sendTransfer',
])
