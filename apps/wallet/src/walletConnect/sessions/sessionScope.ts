import { approvedChains, approvedOn, type Session } from '@latchkey/walletconnect'
import { accounts } from '../../accounts.ts'
import type { Config } from '../../config.ts'
import type { State } from '../../state.ts'
import { findChainId, toChainId } from '../capabilities.ts'

/** What a session may use: networks by number, accounts by index, the first one first. */
export function getScope(
  session: Pick<Session, 'namespaces'>,
  config: Config,
): { chainIds: number[]; indexes: number[] } {
  const chains = approvedChains(session.namespaces)
  const named = chains.flatMap((chain) => indexesOn(session, chain))
  return {
    chainIds: chains.flatMap((chain) => findChainId(config, chain) ?? []),
    indexes: [...new Set(named)],
  }
}

/** The network and account in use in a session: what was chosen as long as it holds, else its first ones. */
export function getSelection(
  session: Pick<Session, 'topic' | 'namespaces'>,
  config: Config,
  { sessions }: Pick<State, 'sessions'>,
): { chainId: number; account: number } {
  const { chainIds, indexes } = getScope(session, config)
  const chosen = sessions[session.topic]
  return {
    chainId: pick(chainIds, chosen?.chainId),
    account: pick(indexes, chosen?.account),
  }
}

const pick = (all: readonly number[], wanted: number | undefined): number =>
  all.find((one) => one === wanted) ?? all[0] ?? 0

/** Indexes of a session's accounts on a CAIP-2 chain. */
export const indexesOn = (session: Pick<Session, 'namespaces'>, chain: string): number[] =>
  approvedOn(session.namespaces, chain).accounts.flatMap((account) => {
    const index = indexOfAddress(account.split(':')[2])
    return index === undefined ? [] : [index]
  })

/** Index of the account of this address, else undefined. */
export function indexOfAddress(address: unknown): number | undefined {
  if (typeof address !== 'string') return undefined
  const index = accounts.findIndex((one) => one.toLowerCase() === address.toLowerCase())
  return index < 0 ? undefined : index
}

/** The same session with other networks and accounts. */
export function withScope(
  { namespaces }: Pick<Session, 'namespaces'>,
  { chainIds, indexes }: { chainIds: readonly number[]; indexes: readonly number[] },
): Session['namespaces'] {
  const chains = chainIds.map(toChainId)
  const { eip155 } = namespaces
  const all = chains.flatMap((chain) => indexes.map((index) => `${chain}:${accounts[index]}`))
  return {
    ...namespaces,
    eip155: { methods: [], events: [], ...eip155, chains, accounts: all },
  }
}
