import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** The account that signs in these tests. */
export const account = privateKeyToAccount(generatePrivateKey())

export const chainId = 'eip155:31337'
const otherChainId = 'eip155:31338'

export const methods = ['personal_sign', 'eth_sendTransaction']
const events = ['accountsChanged', 'chainChanged']

/** The namespaces that the dapps request. */
export const proposed = { eip155: { chains: [chainId, otherChainId], methods, events } }

const grant = (chains: string[]) => ({
  eip155: { chains, accounts: chains.map((id) => `${id}:${account.address}`), methods, events },
})

/** The namespaces that the wallets grant at first, and later. */
export const namespaces = grant([chainId])
export const moreNamespaces = grant([chainId, otherChainId])
