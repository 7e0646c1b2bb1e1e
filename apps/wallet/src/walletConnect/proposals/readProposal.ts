import {
  approveNamespaces,
  type ProposalNamespaces,
  type ProtocolError,
  protocolError,
  type SessionNamespaces,
  type SessionProposal,
} from '@latchkey/walletconnect'
import type { Config } from '../../config.ts'
import { ownEvents } from '../capabilities.ts'
import { accountsOn, findNetwork, getNamespaces, getNetworks } from '../networks.ts'
import type { Scope } from '../sessions/sessionScope.ts'

type ProposedNamespaces = Pick<SessionProposal, 'requiredNamespaces' | 'optionalNamespaces'>

type Item = { id: string; required: boolean }

/** A proposal for display. */
export type ReadProposal = {
  /** Networks of this wallet, by CAIP-2 id. */
  chains: (Item & { name: string })[]
  foreignChains: Item[]
  methods: (Item & { words: string })[]
  foreignMethods: Item[]
  events: Item[]
  /** Why the proposal cannot be approved with any choice. */
  error?: ProtocolError
}

/**
 * Divides the requested networks and methods into those that this wallet has and lacks. An app that
 * requests nothing is offered everything.
 */
export function readProposal(proposal: ProposedNamespaces, config: Config): ReadProposal {
  const requested = {
    chains: collectItems(proposal, (key, { chains }) =>
      key.includes(':') ? [key] : (chains ?? []),
    ),
    methods: collectItems(proposal, (_key, part) => part.methods),
    events: collectItems(proposal, (_key, part) => part.events),
  }
  const open = requested.chains.length === 0
  const methods = new Map(getNamespaces(config).flatMap((one) => [...one.methods]))
  const chains = open ? getNetworks(config).map(({ id }) => optional(id)) : requested.chains
  const selectedMethods = open ? [...methods.keys()].map(optional) : requested.methods
  const foreignChains = chains.filter(({ id }) => !findNetwork(config, id))
  const foreignMethods = selectedMethods.filter(({ id }) => !methods.has(id))
  const error = findError({ proposal, config, foreignChains, foreignMethods })
  return {
    chains: chains.flatMap((item) => {
      const network = findNetwork(config, item.id)
      return network ? [{ ...item, name: network.name }] : []
    }),
    foreignChains,
    methods: selectedMethods.flatMap((item) => {
      const words = methods.get(item.id)
      return words === undefined ? [] : [{ ...item, words }]
    }),
    foreignMethods,
    events: open ? ownEvents.map(optional) : requested.events,
    ...(error && { error }),
  }
}

function findError(read: {
  proposal: ProposedNamespaces
  config: Config
  foreignChains: readonly Item[]
  foreignMethods: readonly Item[]
}): ProtocolError | undefined {
  const { proposal, config, foreignChains, foreignMethods } = read
  if (foreignChains.some(({ required }) => required)) return protocolError('UNSUPPORTED_CHAINS')
  if (foreignMethods.some(({ required }) => required)) return protocolError('UNSUPPORTED_METHODS')
  const all = getNetworks(config).map(({ id }) => id)
  const answer = approve(proposal, { chains: all, indexes: [0] }, config)
  return 'error' in answer ? answer.error : undefined
}

/**
 * The namespaces of a session with these networks and accounts (indexes, the account in use first),
 * or the error.
 */
export function approve(
  proposal: ProposedNamespaces,
  { chains, indexes }: Scope,
  config: Config,
): { namespaces: SessionNamespaces } | { error: ProtocolError } {
  const events = collectItems(proposal, (_key, part) => part.events).map(({ id }) => id)
  const supported = getNamespaces(config).flatMap(({ namespace, methods, networks }) => {
    const chosen = networks.filter(({ id }) => chains.includes(id))
    const part = {
      chains: chosen.map(({ id }) => id),
      accounts: accountsOn(chosen, indexes),
      methods: [...methods.keys()],
      // An event only notifies the app, so every event that the app requests is approved.
      events: [...new Set([...ownEvents, ...events])],
    }
    return chosen.length > 0 ? [[namespace, part] as const] : []
  })
  return approveNamespaces(proposal, Object.fromEntries(supported))
}

const optional = (id: string): Item => ({ id, required: false })

function collectItems(
  { requiredNamespaces, optionalNamespaces }: ProposedNamespaces,
  read: (key: string, part: ProposalNamespaces[string]) => readonly string[],
): Item[] {
  const flat = (namespaces: ProposalNamespaces) =>
    Object.entries(namespaces).flatMap(([key, part]) => read(key, part))
  const required = new Set(flat(requiredNamespaces))
  const all = new Set([...required, ...flat(optionalNamespaces)])
  return [...all].map((id) => ({ id, required: required.has(id) }))
}
