import { solanaIds } from '@latchkey/wire'
import { type ProtocolError, protocolError } from '../codes.ts'
import type { ProposalNamespaces, SessionNamespaces } from '../rpc/shapes.ts'

// CAIP-2 and CAIP-10.
const namespacePattern = /^[-a-z0-9]{3,8}$/
const chainPattern = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/
const accountPattern = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}:[-.%a-zA-Z0-9]{1,128}$/

type Proposal = { requiredNamespaces: ProposalNamespaces; optionalNamespaces: ProposalNamespaces }

const getNamespace = (id: string) => id.split(':', 1)[0] ?? ''

/** CAIP-2 chain of a CAIP-10 account. */
export const getAccountChain = (account: string): string => account.split(':', 2).join(':')

const isInline = (key: string) => key.includes(':')

const belongs = (id: string, key: string) => (isInline(key) ? id === key : getNamespace(id) === key)

const getFirst = <Item>(
  items: readonly Item[],
  check: (item: Item) => ProtocolError | undefined,
): ProtocolError | undefined => {
  for (const item of items) {
    const found = check(item)
    if (found !== undefined) return found
  }
  return undefined
}

const checkKey = (key: string) =>
  namespacePattern.test(key) || chainPattern.test(key)
    ? undefined
    : protocolError('UNSUPPORTED_NAMESPACE_KEY', 'Namespace formatting must match CAIP-2')

/**
 * The error of requested namespaces (Sign specification, namespaces §1), if any. No namespaces at
 * all are valid.
 */
export function checkProposal(proposal: Proposal): ProtocolError | undefined {
  const entries = [
    ...Object.entries(proposal.requiredNamespaces),
    ...Object.entries(proposal.optionalNamespaces),
  ]
  return getFirst(entries, ([key, { chains }]) => {
    const wrongKey = checkKey(key)
    if (wrongKey !== undefined) return wrongKey
    if (!isInline(key) && (chains ?? []).length === 0)
      return protocolError('UNSUPPORTED_CHAINS', 'Chains must not be empty')
    return getFirst(chains ?? [], (chain) => {
      if (!chainPattern.test(chain))
        return protocolError('UNSUPPORTED_CHAINS', 'Chains must be CAIP-2 compliant')
      if (!belongs(chain, key))
        return protocolError('UNSUPPORTED_CHAINS', 'Chains must be defined in matching namespace')
      return undefined
    })
  })
}

/** The error of approved namespaces (Sign specification, namespaces §2), if any. */
export function checkSession(namespaces: SessionNamespaces): ProtocolError | undefined {
  const entries = Object.entries(namespaces)
  if (entries.length === 0) return protocolError('USER_REJECTED', 'Namespaces must not be empty')
  return getFirst(entries, ([key, { accounts, chains }]) => {
    const wrongKey = checkKey(key)
    if (wrongKey !== undefined) return wrongKey
    if (accounts.length === 0)
      return protocolError('USER_REJECTED_CHAINS', 'Accounts must not be empty')
    const wrongAccount = getFirst(accounts, (account) => {
      if (!accountPattern.test(account))
        return protocolError('USER_REJECTED_CHAINS', 'Accounts must be CAIP-10 compliant')
      if (!belongs(getAccountChain(account), key))
        return protocolError(
          'UNSUPPORTED_ACCOUNTS',
          'Accounts must be defined in matching namespace',
        )
      return undefined
    })
    if (wrongAccount !== undefined) return wrongAccount
    return getFirst(chains ?? [], (chain) =>
      chainPattern.test(chain) && belongs(chain, key)
        ? undefined
        : protocolError('UNSUPPORTED_CHAINS', 'Chains must be defined in matching namespace'),
    )
  })
}

/**
 * The error of a session that lacks required namespaces, if any. Checks namespaces, then chains,
 * methods and events.
 */
export function checkConforming(
  required: ProposalNamespaces,
  session: SessionNamespaces,
): ProtocolError | undefined {
  return getFirst(Object.entries(required), ([key, { chains, methods, events }]) => {
    const isPresent = Object.keys(session).some((own) => getNamespace(own) === getNamespace(key))
    if (!isPresent) return protocolError('USER_REJECTED', 'All namespaces must be approved')
    return getFirst(isInline(key) ? [key] : (chains ?? []), (chain) => {
      const approved = approvedOn(session, chain)
      if (approved.accounts.length === 0)
        return protocolError('USER_REJECTED_CHAINS', 'All chains must have at least one account')
      if (methods.some((method) => !approved.methods.includes(method)))
        return protocolError('USER_REJECTED_METHODS', 'All methods must be approved')
      if (events.some((event) => !approved.events.includes(event)))
        return protocolError('USER_REJECTED_EVENTS', 'All events must be approved')
      return undefined
    })
  })
}

/**
 * The part of a session that applies to one CAIP-2 chain. A chain without an account is not
 * approved and has nothing.
 */
export function approvedOn(
  session: SessionNamespaces,
  chain: string,
): { accounts: string[]; methods: string[]; events: string[] } {
  const isOnChain = (account: string) => getAccountChain(account) === chain
  const parts = Object.values(session).filter(({ accounts }) => accounts.some(isOnChain))
  return {
    accounts: unique(parts.flatMap(({ accounts }) => accounts.filter(isOnChain))),
    methods: unique(parts.flatMap(({ methods }) => methods)),
    events: unique(parts.flatMap(({ events }) => events)),
  }
}

/**
 * The id under which a session approved a chain: its own, or another id of the same chain.
 * Undefined if the session did not approve it.
 */
export function getApprovedChain(session: SessionNamespaces, chain: string): string | undefined {
  const approved = approvedChains(session)
  const ids = solanaIds.find((both) => both.some((id) => id === chain)) ?? []
  return [chain, ...ids].find((id) => approved.includes(id))
}

/** CAIP-2 chains on which a session has an account. */
export const approvedChains = (session: SessionNamespaces): string[] =>
  unique(Object.values(session).flatMap(({ accounts }) => accounts.map(getAccountChain)))

/**
 * The namespaces that a wallet approves, given a proposal and what the wallet supports (keys are
 * namespaces, each with its chains). From required and optional namespaces together, it takes the
 * supported chains, methods and events, with the wallet's accounts on them. Chains given as keys
 * join their namespace. An empty proposal gets everything. The error names what the wallet lacks
 * and may be sent unchanged.
 */
export function approveNamespaces(
  proposal: Proposal,
  supported: SessionNamespaces,
): { namespaces: SessionNamespaces } | { error: ProtocolError } {
  const error = checkProposal(proposal)
  if (error !== undefined) return { error }
  const proposed = [
    ...Object.entries(proposal.requiredNamespaces),
    ...Object.entries(proposal.optionalNamespaces),
  ]
  const namespaces: SessionNamespaces = {}
  for (const [namespace, own] of Object.entries(supported)) {
    const parts = proposed.filter(([key]) => getNamespace(key) === namespace)
    const requested = {
      chains: parts.flatMap(([key, { chains }]) => (isInline(key) ? [key] : (chains ?? []))),
      methods: parts.flatMap(([, { methods }]) => methods),
      events: parts.flatMap(([, { events }]) => events),
    }
    const scope = proposed.length === 0 ? own : intersect(own, requested)
    const chains = unique(scope.chains ?? own.accounts.map(getAccountChain))
    const accounts = own.accounts.filter((account) => chains.includes(getAccountChain(account)))
    const bare = chains.find((chain) => !accounts.some((one) => getAccountChain(one) === chain))
    if (bare !== undefined)
      return {
        error: protocolError('UNSUPPORTED_ACCOUNTS', `No accounts provided for chain ${bare}`),
      }
    if (chains.length > 0)
      namespaces[namespace] = { chains, accounts, methods: scope.methods, events: scope.events }
  }
  if (Object.keys(namespaces).length === 0)
    return { error: protocolError('UNSUPPORTED_CHAINS', 'No chain of the proposal is supported') }
  const missing = checkConforming(proposal.requiredNamespaces, namespaces)
  return missing === undefined ? { namespaces } : { error: missing }
}

function intersect(
  own: SessionNamespaces[string],
  requested: { chains: string[]; methods: string[]; events: string[] },
) {
  const chains = own.chains ?? own.accounts.map(getAccountChain)
  return {
    chains: unique(requested.chains.filter((chain) => chains.includes(chain))),
    methods: unique(requested.methods.filter((method) => own.methods.includes(method))),
    events: unique(requested.events.filter((event) => own.events.includes(event))),
  }
}

const unique = (items: readonly string[]) => [...new Set(items)]
