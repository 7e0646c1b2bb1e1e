import {
  type ChainId,
  type FrameUser,
  fromFrameChain,
  isError,
  LatchkeyError,
  type Namespace,
  toFrameChain,
} from '@latchkey/wire'
import { namespaceMetadata } from '../../../namespaces/namespaceMetadata.ts'
import type { Account } from '../../../state.ts'
import type { ConnectResult } from '../connector.ts'
import type { EmbeddedParameters } from './parameters.ts'
import { getStoredProvider, rememberLogin } from './storedLogin.ts'

/**
 * Requests the logged-in user from the frame, on a network of the namespace: the wanted network,
 * the selected, the last, or the app's first. Throws SIGNED_OUT, USER_REJECTED (no consent for this
 * page), WALLET_ANSWER_INVALID.
 */
export async function getUser(
  parameters: EmbeddedParameters,
  question: { namespace: Namespace; chainId: ChainId | undefined; signal: AbortSignal },
): Promise<ConnectResult> {
  const { storage } = parameters
  const { namespace, signal } = question
  const frame = await parameters.frame()
  const preferred = storage.get('preferredAccountTypes')?.[namespace]
  const isKnown = preferred === 'eoa' || preferred === 'smartAccount'
  const get = (chainId: ChainId | undefined) =>
    frame.request(
      'APP_GET_USER',
      {
        ...(chainId && { chainId: toFrameChain(chainId) }),
        ...(isKnown && { preferredAccountType: preferred }),
      },
      { timeoutMs: null, signal },
    )
  const wantedChain = getWantedChain(parameters, question)
  const user = await get(wantedChain).catch(async (error: unknown) => {
    if (!isError(error, 'CHAIN_NOT_SUPPORTED')) throw error
    // The user may be on another of the app's networks.
    const elsewhere = await get(undefined)
    if (fromFrameChain(elsewhere.chainId)?.startsWith(`${namespace}:`)) return elsewhere
    throw error
  })
  const socialProvider = getStoredProvider(storage, user.userName ?? undefined)
  const result = toConnectResult(user, { namespace, socialProvider })
  rememberLogin(storage, result.user ?? {})
  storage.set('preferredAccountTypes', {
    ...storage.get('preferredAccountTypes'),
    [namespace]: user.preferredAccountType ?? result.accounts[0].type,
  })
  return result
}

function getWantedChain(
  { networks, activeChainId, storage }: EmbeddedParameters,
  { namespace, chainId }: { namespace: Namespace; chainId: ChainId | undefined },
): ChainId | undefined {
  const ids = networks()
    .filter(({ chainNamespace }) => chainNamespace === namespace)
    .map(({ caipNetworkId }) => caipNetworkId)
  const candidates = [chainId, activeChainId(), storage.get('lastUsedChainId'), ids[0]]
  return candidates.find((candidate) => candidate && ids.includes(candidate))
}

function toConnectResult(
  user: FrameUser,
  { namespace, socialProvider }: { namespace: Namespace; socialProvider: string | undefined },
): ConnectResult {
  const chainId = fromFrameChain(user.chainId)
  const entries = [{ address: user.address, type: undefined }, ...(user.accounts ?? [])]
  const accounts = new Map<string, Account>()
  for (const { address, type } of entries) {
    const known = accounts.get(address)
    accounts.set(address, { namespace, address, type: type ?? known?.type ?? 'eoa' })
  }
  const [first, ...rest] = [...accounts.values()]
  const { isAddress } = namespaceMetadata[namespace]
  const isGood = [...accounts.keys()].every((address) => isAddress(address))
  if (!first || !isGood || !chainId?.startsWith(`${namespace}:`))
    throw new LatchkeyError('WALLET_ANSWER_INVALID')
  const { email, userName, smartAccountDeployed: isDeployed, isRecoverable } = user
  return {
    accounts: [
      { ...first, ...(isDeployed !== undefined && { deployed: { [chainId]: isDeployed } }) },
      ...rest,
    ],
    chainId,
    user: {
      ...(email && { email }),
      ...(userName && { username: userName }),
      ...(socialProvider && { socialProvider }),
      ...(isRecoverable === false && { isRecoverable }),
    },
  }
}
