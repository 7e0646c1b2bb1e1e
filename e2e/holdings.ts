import { rpc, stack } from './fixtures.ts'

const chain = 'eip155:31337'

/** What an account holds in ETH, in wei, as the chain says. */
export const nativeOf = async (address: string) =>
  BigInt(await rpc<string>(chain, 'eth_getBalance', [address, 'latest']))

/**
 * What an account holds of the token with six decimals, in its smallest unit, as the chain says.
 */
export const dollarsOf = (address: string) => tokensOf(address, 'usd')

/** The same of wrapped ether, which takes no signature for an allowance. */
export const wrappedOf = (address: string) => tokensOf(address, 'wrappedEther')

async function tokensOf(address: string, token: 'usd' | 'wrappedEther') {
  const to = stack.addresses[chain]?.[token]
  const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}`
  return BigInt(await rpc<string>(chain, 'eth_call', [{ to, data }, 'latest']))
}
