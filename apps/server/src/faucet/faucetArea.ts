import type { AreaState, ChainId } from '@latchkey/wire'
import type { Config } from '../config.ts'

/** Whether a network has a faucet. Only networks with worthless money can have a faucet. */
export function faucetArea({ chains }: Pick<Config, 'chains'>, chainId: ChainId): AreaState {
  const { faucet, testnet } = chains[chainId] ?? {}
  if (faucet === undefined)
    return { on: false, source: 'The chains file names no `faucet: { url }` for the network' }
  if (testnet !== true)
    return { on: false, source: 'Only a network with `testnet: true` can have a faucet' }
  return { on: true, source: "The network's faucet" }
}
