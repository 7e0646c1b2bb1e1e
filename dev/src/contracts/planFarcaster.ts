import { type Address, encodeAbiParameters } from 'viem'
import type { Builder } from './builder.ts'

const keyAdded = 1
const keyRemoved = 2
const authKeyType = 2

/**
 * Farcaster's registries: the first three `holders` have the fids 1 to 3, the fourth is an auth
 * address of fid 1, and the fifth was one.
 */
export function planFarcaster(builder: Builder, { holders }: { holders: Address[] }) {
  const registry = builder.deploy('DevFarcaster')
  for (const [index, holder] of holders.slice(0, 3).entries())
    builder.call(registry, 'register', [holder, BigInt(index + 1)])
  for (const [holder, state] of [
    [holders[3], keyAdded],
    [holders[4], keyRemoved],
  ] as const) {
    if (!holder) continue
    const key = encodeAbiParameters([{ type: 'address' }], [holder])
    builder.call(registry, 'setKey', [1n, key, state, authKeyType])
  }
  return { farcaster: registry.address }
}
