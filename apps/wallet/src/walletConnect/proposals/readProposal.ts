import {
  approveNamespaces,
  type Proposal,
  type ProposalNamespaces,
  type ProtocolError,
  protocolError,
  type SessionNamespaces,
} from '@latchkey/walletconnect'
import { accounts } from '../../accounts.ts'
import type { Config } from '../../config.ts'
import { findChainId, methods, ownEvents, toChainId } from '../capabilities.ts'

type Asked = Pick<Proposal, 'requiredNamespaces' | 'optionalNamespaces'>

type Item = { id: string; required: boolean }

/** A proposal as a person reads it. */
export type ReadProposal = {
  /** Networks of this wallet, by EIP-155 number. */
  chains: { chainId: number; name: string; required: boolean }[]
  foreignChains: Item[]
  methods: (Item & { words: string })[]
  foreignMethods: Item[]
  events: Item[]
  /** Why it cannot be approved, whatever is chosen. */
  error?: ProtocolError
}

/** Sorts what is asked into what this wallet has and what it has not. Who asks for nothing is offered everything. */
export function readProposal(proposal: Asked, config: Config): ReadProposal {
  const asked = {
    chains: collectItems(proposal, (key, { chains }) =>
      key.includes(':') ? [key] : (chains ?? []),
    ),
    methods: collectItems(proposal, (_key, part) => part.methods),
    events: collectItems(proposal, (_key, part) => part.events),
  }
  const open = asked.chains.length === 0
  const isOwn = ({ id }: Item) => findChainId(config, id) !== undefined
  const chains = open
    ? config.chains.map(({ chainId }) => optional(toChainId(chainId)))
    : asked.chains
  const wanted = open ? [...methods.keys()].map(optional) : asked.methods
  const foreignChains = chains.filter((item) => !isOwn(item))
  const foreignMethods = wanted.filter(({ id }) => !methods.has(id))
  const error = findError({ proposal, config, foreignChains, foreignMethods })
  return {
    chains: chains.filter(isOwn).map(({ id, required }) => {
      const chainId = findChainId(config, id) ?? 0
      const name = config.chains.find((chain) => chain.chainId === chainId)?.name ?? id
      return { chainId, name, required }
    }),
    foreignChains,
    methods: wanted.flatMap((item) => {
      const words = methods.get(item.id)
      return words === undefined ? [] : [{ ...item, words }]
    }),
    foreignMethods,
    events: open ? ownEvents.map(optional) : asked.events,
    ...(error && { error }),
  }
}

function findError(read: {
  proposal: Asked
  config: Config
  foreignChains: readonly Item[]
  foreignMethods: readonly Item[]
}): ProtocolError | undefined {
  const { proposal, config, foreignChains, foreignMethods } = read
  if (foreignChains.some(({ required }) => required)) return protocolError('UNSUPPORTED_CHAINS')
  if (foreignMethods.some(({ required }) => required)) return protocolError('UNSUPPORTED_METHODS')
  const answer = approve(proposal, {
    chainIds: config.chains.map(({ chainId }) => chainId),
    indexes: [0],
  })
  return 'error' in answer ? answer.error : undefined
}

/** What a session gets with these networks and accounts (indexes, the one in use first), or why it cannot be. */
export function approve(
  proposal: Asked,
  { chainIds, indexes }: { chainIds: readonly number[]; indexes: readonly number[] },
): { namespaces: SessionNamespaces } | { error: ProtocolError } {
  const chains = chainIds.map(toChainId)
  const events = collectItems(proposal, (_key, part) => part.events).map(({ id }) => id)
  return approveNamespaces(proposal, {
    eip155: {
      chains,
      accounts: accountsOn(chains, indexes),
      methods: [...methods.keys()],
      // An event is only told, so any that the app understands may be.
      events: [...new Set([...ownEvents, ...events])],
    },
  })
}

/** CAIP-10 accounts of these indexes on each of these CAIP-2 chains. */
export const accountsOn = (chains: readonly string[], indexes: readonly number[]): string[] =>
  chains.flatMap((chain) => indexes.map((index) => `${chain}:${accounts[index]}`))

const optional = (id: string): Item => ({ id, required: false })

function collectItems(
  { requiredNamespaces, optionalNamespaces }: Asked,
  read: (key: string, part: ProposalNamespaces[string]) => readonly string[],
): Item[] {
  const flat = (namespaces: ProposalNamespaces) =>
    Object.entries(namespaces).flatMap(([key, part]) => read(key, part))
  const required = new Set(flat(requiredNamespaces))
  const all = new Set([...required, ...flat(optionalNamespaces)])
  return [...all].map((id) => ({ id, required: required.has(id) }))
}
