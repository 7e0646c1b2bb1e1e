import { type ProposalNamespaces, solanaIds } from '@latchkey/walletconnect'
import type { ChainId, Namespace } from '@latchkey/wire'

/** Methods that are asked for. */
const methods: Readonly<Record<Namespace, readonly string[]>> = {
  eip155: [
    'eth_accounts',
    'eth_requestAccounts',
    'eth_sendRawTransaction',
    'eth_sign',
    'eth_signTransaction',
    'eth_signTypedData',
    'eth_signTypedData_v3',
    'eth_signTypedData_v4',
    'eth_sendTransaction',
    'personal_sign',
    'wallet_switchEthereumChain',
    'wallet_addEthereumChain',
    'wallet_getPermissions',
    'wallet_requestPermissions',
    'wallet_registerOnboarding',
    'wallet_watchAsset',
    'wallet_scanQRCode',
    'wallet_getCallsStatus',
    'wallet_showCallsStatus',
    'wallet_sendCalls',
    'wallet_getCapabilities',
    'wallet_grantPermissions',
    'wallet_revokePermissions',
    'wallet_getAssets',
  ],
  solana: [
    'solana_signMessage',
    'solana_signTransaction',
    'solana_requestAccounts',
    'solana_getAccounts',
    'solana_signAllTransactions',
    'solana_signAndSendTransaction',
  ],
  bip122: ['sendTransfer', 'signMessage', 'signPsbt', 'getAccountAddresses'],
  polkadot: ['polkadot_signTransaction', 'polkadot_signMessage'],
}

const events: readonly string[] = ['accountsChanged', 'chainChanged']

/** Today's id of a chain. */
export const toCurrentChainId = (chainId: ChainId): ChainId =>
  solanaIds.find(([, older]) => older === chainId)?.[0] ?? chainId

/** What a wallet is asked for: everything the app's networks can use, all of it optional. */
export function getProposalNamespaces(
  networks: readonly { caipNetworkId: ChainId; chainNamespace: Namespace }[],
): ProposalNamespaces {
  const asked: Record<string, { chains: string[]; methods: string[]; events: string[] }> = {}
  for (const { caipNetworkId, chainNamespace } of networks) {
    asked[chainNamespace] ??= {
      chains: [],
      methods: [...methods[chainNamespace]],
      events: [...events],
    }
    const ids = solanaIds.find(([present]) => present === caipNetworkId) ?? [caipNetworkId]
    asked[chainNamespace].chains.push(...ids)
  }
  return asked
}
