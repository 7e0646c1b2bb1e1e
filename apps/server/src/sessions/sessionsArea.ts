import type { AreaState, ChainId } from '@latchkey/wire'
import type { Config } from '../config.ts'
import { isEvmChain } from '../evm/chain.ts'

/** Whether pages may be permitted to act by themselves on a network. */
export function sessionsArea({ chains }: Pick<Config, 'chains'>, chainId: ChainId): AreaState {
  if (!isEvmChain(chainId))
    return { on: false, source: 'Smart sessions are for eip155 networks only' }
  return chains[chainId]?.smartAccounts?.permissions === true
    ? { on: true, source: 'The delegation framework on the network' }
    : { on: false, source: 'The chains file does not set `smartAccounts.permissions`' }
}
