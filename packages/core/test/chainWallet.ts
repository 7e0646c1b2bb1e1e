import { createFakeWallet, type FakeWallet } from './fakeWallet.ts'
import { rpc } from './rpc.ts'

/** A browser wallet whose keys and chain are a real node's: signing and sending go there. */
export function createChainWallet(url: string): FakeWallet {
  const wallet = createFakeWallet()
  for (const method of ['personal_sign', 'eth_sendTransaction'])
    wallet.answers[method] = (params) => rpc(url, method, params as unknown[])
  // A node takes the typed data as an object where wallets take its JSON.
  wallet.answers.eth_signTypedData_v4 = (params) => {
    const [address, data] = params as [string, string]
    return rpc(url, 'eth_signTypedData_v4', [address, JSON.parse(data)])
  }
  return wallet
}
