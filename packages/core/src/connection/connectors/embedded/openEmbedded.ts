import {
  anySignal,
  type ChainId,
  isError,
  LatchkeyError,
  type Namespace,
  parseChainId,
} from '@latchkey/wire'
import { loadRequestHandlers } from '../../../namespaces/namespaceMetadata.ts'
import type { Connector, ConnectResult } from '../connector.ts'
import { getUser } from './getUser.ts'
import type { EmbeddedParameters } from './parameters.ts'
import { requestFromFrame, switchEmbeddedChain } from './request.ts'
import { forgetLogin } from './storedLogin.ts'

/** How long the frame has to sign out. */
const signOutMs = 3_000

/** Handles all requests to the connector, through the secure frame. */
export async function openEmbedded(parameters: EmbeddedParameters): Promise<Connector> {
  const { info, storage } = parameters
  loadRequestHandlers(info.namespaces)
  const known = new Map<Namespace, readonly string[]>()
  const remember = (result: ConnectResult) => {
    for (const { chainId, accounts } of [result, ...(result.others ?? [])])
      known.set(
        parseChainId(chainId).namespace,
        accounts.map(({ address }) => address),
      )
    return result
  }
  const getAuthorized = async (namespace: Namespace) => {
    const result = await authorizedUser(parameters, namespace)
    return result && remember(result)
  }
  // A page that has just been loaded may ask before its connection is confirmed.
  const getAddresses = async (namespace: Namespace) => {
    if (!known.has(namespace)) await getAuthorized(namespace)
    return known.get(namespace) ?? []
  }
  return {
    info,
    connect: async ({ chainId, signal }) =>
      remember(await connectUser(parameters, { chainId, signal })),
    authorized: ({ namespace }) => getAuthorized(namespace),
    request: (chainId, method, params) =>
      requestFromFrame(parameters, { chainId, method, params }, getAddresses),
    selectChain: (chainId) => switchEmbeddedChain(parameters, chainId),
    async disconnect() {
      known.clear()
      forgetLogin(storage)
      // Kept until the frame has confirmed it. A page that is left earlier repeats it at its next
      // visit.
      storage.set('signOutAtMs', parameters.now())
      const frame = await parameters.frame()
      await frame.request('APP_SIGN_OUT', {}, { signal: AbortSignal.timeout(signOutMs) })
      storage.remove('signOutAtMs')
    },
    subscribe: () => () => {},
  }
}

/**
 * The accounts of a user who has just logged in. The account in the selected network's namespace
 * comes first.
 */
async function connectUser(
  parameters: EmbeddedParameters,
  { chainId, signal }: { chainId: ChainId | undefined; signal: AbortSignal },
): Promise<ConnectResult> {
  const wantedNamespace = parseChainId(chainId ?? parameters.activeChainId()).namespace
  const configured = parameters.networks().map(({ chainNamespace }) => chainNamespace)
  const all = parameters.info.namespaces.filter((namespace) => configured.includes(namespace))
  const [first, ...rest] = [...all].sort((one, other) => rank(one) - rank(other))
  if (!first) throw new LatchkeyError('NO_CHAINS_ON_CONNECTOR')
  const result = await getUser(parameters, { namespace: first, chainId, signal })
  parameters.storage.set('lastUsedChainId', result.chainId)
  const others: ConnectResult[] = []
  // One after the other, because each may prompt for consent.
  for (const namespace of rest)
    others.push(await getUser(parameters, { namespace, chainId: undefined, signal }))
  return { ...result, ...(others.length > 0 && { others }) }

  function rank(namespace: Namespace) {
    return namespace === wantedNamespace ? 0 : 1
  }
}

/** The user that is still logged in at the frame. If there is no user, deletes the stored login. */
async function authorizedUser(
  parameters: EmbeddedParameters,
  namespace: Namespace,
): Promise<ConnectResult | undefined> {
  const { storage } = parameters
  const frame = await parameters.frame()
  const token = storage.get('knownDevice')
  const { isConnected } = await frame.request('APP_IS_CONNECTED', token ? { token } : {})
  const signal = anySignal([])
  if (isConnected) {
    const before = storage.get('lastUsedChainId')
    try {
      const result = await getUser(parameters, { namespace, chainId: undefined, signal })
      // The page may have switched to another network before the frame has answered.
      const chainId = storage.get('lastUsedChainId')
      const isSwitched = chainId !== before && chainId?.startsWith(`${namespace}:`)
      return isSwitched && chainId ? { ...result, chainId } : result
    } catch (error) {
      if (!isError(error, 'SIGNED_OUT')) throw error
    }
  }
  forgetLogin(storage)
  return undefined
}
