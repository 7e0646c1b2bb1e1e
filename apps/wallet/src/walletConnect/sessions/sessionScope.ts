import { approvedChains, approvedOn, type WalletConnectSession } from '@latchkey/walletconnect'
import { accounts } from '../../accounts.ts'
import type { Config } from '../../config.ts'
import type { State } from '../../state.ts'
import { findChainId, toChainId } from '../capabilities.ts'
import { accountsOn, findNetwork, getNamespaces } from '../networks.ts'

/**
 * The networks (CAIP-2 ids) and accounts (indexes, the account in use first) that a session may
 * use.
 */
export type Scope = { chains: readonly string[]; indexes: readonly number[] }

/** The networks and accounts of this wallet that a session may use, in all namespaces. */
export function getScope(
  session: Pick<WalletConnectSession, 'namespaces'>,
  config: Config,
): { chains: string[]; indexes: number[] } {
  const chains = approvedChains(session.namespaces).filter((id) => findNetwork(config, id))
  const named = chains.flatMap((chain) => indexesOn(session, chain, config))
  return { chains, indexes: [...new Set(named)] }
}

/** The chain numbers of the EVM networks that a session may use. */
export const getChainIds = (
  session: Pick<WalletConnectSession, 'namespaces'>,
  config: Config,
): number[] => getScope(session, config).chains.flatMap((chain) => findChainId(config, chain) ?? [])

/**
 * The EVM network and the account in use in a session: the user's choice while it is valid, else
 * the first ones. The network is 0 if the session has no EVM network.
 */
export function getSelection(
  session: Pick<WalletConnectSession, 'topic' | 'namespaces'>,
  config: Config,
  { sessions }: Pick<State, 'sessions'>,
): { chainId: number; account: number } {
  const { indexes } = getScope(session, config)
  const chosen = sessions[session.topic]
  return {
    chainId: pick(getChainIds(session, config), chosen?.chainId),
    account: pick(indexes, chosen?.account),
  }
}

/** The CAIP-2 id of the network in use, in any namespace. */
export function getSelectedChain(
  session: Pick<WalletConnectSession, 'topic' | 'namespaces'>,
  config: Config,
  state: Pick<State, 'sessions'>,
): string {
  const { chainId } = getSelection(session, config, state)
  const [first] = getScope(session, config).chains
  return chainId === 0 && first !== undefined ? first : toChainId(chainId)
}

const pick = (all: readonly number[], preferred: number | undefined): number =>
  all.find((one) => one === preferred) ?? all[0] ?? 0

/** Indexes of a session's accounts on a CAIP-2 chain. */
export const indexesOn = (
  session: Pick<WalletConnectSession, 'namespaces'>,
  chain: string,
  config: Config,
): number[] =>
  approvedOn(session.namespaces, chain).accounts.flatMap((account) => {
    const index = findAddressIndex(account.split(':')[2], findNetwork(config, chain)?.accounts)
    return index === undefined ? [] : [index]
  })

/** Index of an address among the wallet's addresses in its namespace, else undefined. */
export function findAddressIndex(
  address: unknown,
  addresses: readonly string[] = accounts,
): number | undefined {
  if (typeof address !== 'string') return undefined
  const index = addresses.findIndex((one) => toKey(one) === toKey(address))
  return index < 0 ? undefined : index
}

// Only hex is case-insensitive.
const toKey = (address: string) => (address.startsWith('0x') ? address.toLowerCase() : address)

/** Returns the session with other networks and accounts, in the same namespaces. */
export const withScope = (
  session: Pick<WalletConnectSession, 'namespaces'>,
  { chains, indexes }: Scope,
  config: Config,
): WalletConnectSession['namespaces'] =>
  Object.fromEntries(
    Object.entries(session.namespaces).flatMap(([key, part]) => {
      const own = getNamespaces(config).find(({ namespace }) => namespace === key)
      if (!own) return [[key, part]]
      const networks = own.networks.filter(({ id }) => chains.includes(id))
      const ids = networks.map(({ id }) => id)
      const next = { ...part, chains: ids, accounts: accountsOn(networks, indexes) }
      return networks.length > 0 ? [[key, next]] : []
    }),
  )
