import { rpc, stack } from './fixtures.ts'

const chain = 'eip155:31337'

/** The on-chain ETH balance of an account, in wei. */
export const nativeOf = async (address: string) =>
  BigInt(await rpc<string>(chain, 'eth_getBalance', [address, 'latest']))

/** The on-chain balance of the token with six decimals, in its smallest unit. */
export const dollarsOf = (address: string) => tokensOf(address, 'usd')

/** The on-chain balance of wrapped ether, which does not support permits. */
export const wrappedOf = (address: string) => tokensOf(address, 'wrappedEther')

async function tokensOf(address: string, token: 'usd' | 'wrappedEther') {
  const to = stack.addresses[chain]?.[token]
  const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}`
  return BigInt(await rpc<string>(chain, 'eth_call', [{ to, data }, 'latest']))
}
