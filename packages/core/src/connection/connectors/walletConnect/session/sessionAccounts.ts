import type { SessionNamespaces } from '@latchkey/walletconnect'
import {
  type ChainId,
  isNamespace,
  type Namespace,
  namespaces,
  parseCaipAddress,
  parseChainId,
} from '@latchkey/wire'
import { namespaceMetadata } from '../../../../namespaces/namespaceMetadata.ts'
import type { Account } from '../../../../state.ts'
import type { ConnectResult } from '../../connector.ts'
import { toCurrentChainId } from '../proposalNamespaces.ts'

/**
 * An account of a session, with the current id of its chain; `wireChainId` is the id that the
 * wallet used.
 */
export type SessionAccount = {
  namespace: Namespace
  chainId: ChainId
  wireChainId: ChainId
  address: string
}

/**
 * Every account of a session, in the wallet's order. Skips ids that are not CAIP-10 or belong to
 * another namespace.
 */
export function getSessionAccounts(session: SessionNamespaces): SessionAccount[] {
  return Object.values(session)
    .flatMap(({ accounts }) => accounts)
    .flatMap((text) => {
      try {
        const { namespace, chainId, address } = parseCaipAddress(text)
        if (!namespaceMetadata[namespace].isAddress(address, chainId)) return []
        return [{ namespace, chainId: toCurrentChainId(chainId), wireChainId: chainId, address }]
      } catch {
        return []
      }
    })
}

/**
 * The methods that a session allows on a chain (by its current id), and the chain id that the
 * wallet uses.
 */
export function getChainMethods(
  session: SessionNamespaces,
  chainId: ChainId,
): { methods: readonly string[]; wireChainId: ChainId } | undefined {
  const parts = Object.values(session).filter((part) =>
    getSessionAccounts({ part }).some((account) => account.chainId === chainId),
  )
  const account = getSessionAccounts(session).find((entry) => entry.chainId === chainId)
  if (!account) return undefined
  return { methods: parts.flatMap(({ methods }) => methods), wireChainId: account.wireChainId }
}

/** Every method that a session allows in a namespace, on any chain. */
export const getNamespaceMethods = (
  session: SessionNamespaces,
  namespace: Namespace,
): readonly string[] =>
  Object.entries(session)
    .filter(([key]) => key.split(':', 1)[0] === namespace)
    .flatMap(([, { methods }]) => methods)

/**
 * The methods allowed on a chain. If the wallet switched to a chain outside its session, the
 * methods of the namespace apply.
 */
export const getApprovedMethods = (
  session: SessionNamespaces,
  chainId: ChainId,
): readonly string[] =>
  getChainMethods(session, chainId)?.methods ??
  getNamespaceMethods(session, parseChainId(chainId).namespace)

/** Functions that format an address for the state, by namespace. */
export type AddressWriters = Readonly<
  Partial<Record<Namespace, ((address: string) => string) | undefined>>
>

/** The user's choices in a session, by namespace. */
export type Choices = {
  chains: Readonly<Partial<Record<Namespace, ChainId>>>
  accounts: Readonly<Partial<Record<Namespace, readonly string[]>>>
}

/**
 * A session as connections, at most one per namespace. The chain is the chosen chain, else the
 * first of `preferred` that is approved, else the wallet's first. The accounts belong to that
 * chain, the chosen account first; `writers` format the addresses. Undefined if the session allows
 * no namespace of the app.
 */
export function toConnectResult(parameters: {
  session: SessionNamespaces
  choices: Choices
  preferred: readonly ChainId[]
  writers?: AddressWriters | undefined
}): ConnectResult | undefined {
  const accounts = getSessionAccounts(parameters.session)
  const results = namespaces.flatMap((namespace) => {
    const own = accounts.filter((account) => account.namespace === namespace)
    return getNamespaceResult({ ...parameters, namespace, accounts: own }) ?? []
  })
  const [first, ...others] = results
  return first && { ...first, ...(others.length > 0 && { others }) }
}

function getNamespaceResult(parameters: {
  namespace: Namespace
  accounts: readonly SessionAccount[]
  choices: Choices
  preferred: readonly ChainId[]
  writers?: AddressWriters | undefined
}): ConnectResult | undefined {
  const { namespace, accounts, choices, preferred, writers } = parameters
  const approved = new Set(accounts.map(({ chainId }) => chainId))
  const chosen = choices.chains[namespace]
  const chainId = chosen ?? preferred.find((id) => approved.has(id)) ?? accounts[0]?.chainId
  if (chainId === undefined) return undefined
  const onChain = accounts.filter((account) => account.chainId === chainId)
  // A chain to which the wallet switched by itself is not among the session's accounts.
  const addressTexts = (onChain.length > 0 ? onChain : accounts).map(({ address }) => address)
  const [address, ...rest] = sortChosenFirst(namespace, {
    addresses: addressTexts,
    chosen: choices.accounts[namespace] ?? [],
  }).filter((text) => namespaceMetadata[namespace].isAddress(text, chainId))
  if (address === undefined) return undefined
  const account = (text: string): Account => ({
    namespace,
    address: writers?.[namespace]?.(text) ?? text,
    type: namespaceMetadata[namespace].accountType,
  })
  return { accounts: [account(address), ...rest.map(account)], chainId }
}

/** Each address once, the chosen addresses first. */
function sortChosenFirst(
  namespace: Namespace,
  { addresses, chosen }: { addresses: readonly string[]; chosen: readonly string[] },
): string[] {
  const firstByKey = new Map<string, string>()
  for (const address of [...chosen, ...addresses]) {
    const key = namespaceMetadata[namespace].getAddressKey(address)
    if (!firstByKey.has(key)) firstByKey.set(key, address)
  }
  return [...firstByKey.values()]
}

/** The namespace of a chain or key. */
export const getNamespace = (id: string): Namespace | undefined => {
  const [namespace = ''] = id.split(':', 1)
  return isNamespace(namespace) ? namespace : undefined
}
