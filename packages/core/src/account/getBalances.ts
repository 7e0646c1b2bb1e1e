import {
  accountBalanceRoute,
  type Balance,
  balanceEntry,
  type ChainId,
  isError,
  LatchkeyError,
  parseChainId,
} from '@latchkey/wire'
import * as z from 'zod/mini'
import type { App } from '../app.ts'
import { showError } from '../modal/showError.ts'
import { namespaceMetadata } from '../namespaces/namespaceMetadata.ts'
import { callRoute } from '../server/callRoute.ts'
import { dedupeRead } from '../server/dedupeRead.ts'
import { isBrowserOffline } from '../server/isBrowserOffline.ts'
import { parse } from '../server/parse.ts'
import { getSavedResponse, saveResponse } from '../server/savedResponses.ts'
import { fromSmallestUnit } from '../units.ts'
import { balanceRetryBlockMs, portfolioLifetimeMs } from './balanceTimes.ts'
import { getNativeBalance } from './getNativeBalance.ts'
import { getWalletAssets } from './getWalletAssets.ts'

/**
 * The balances of an account on a network, native first; at most 30 s old unless `forceUpdate`.
 * Reads them from the connected wallet if it keeps a list, otherwise from the server. If the server
 * fails, shows a toast, pauses requests to the server for 30 s, and returns the native balance from
 * the node; if that fails too, throws the error. If the browser is offline, only throws the error.
 * If the server does not support the network, shows the toast once and never requests that network
 * again.
 */
export async function getBalances(
  app: App,
  parameters: {
    address: string
    chainId: ChainId
    forceUpdate?: boolean
    signal?: AbortSignal | undefined
  },
): Promise<readonly Balance[]> {
  const { address, chainId, forceUpdate, signal } = parameters
  const id = `${chainId}:${address}`
  const saved = forceUpdate ? undefined : getFresh(app, id)
  if (saved) return saved
  const work = () => load(app, { id, address, chainId, forceUpdate })
  return dedupeRead(app, { key: `${forceUpdate ? 'forced ' : ''}portfolio ${id}`, work, signal })
}

type BalancesParameters = {
  id: string
  address: string
  chainId: ChainId
  forceUpdate: boolean | undefined
}

async function load(app: App, parameters: BalancesParameters): Promise<readonly Balance[]> {
  const { id, address, chainId, forceUpdate } = parameters
  const atMs = app.environment.now()
  const own = await getWalletAssets(app, { address, chainId })
  if (own) return save(app, { id, atMs, balances: own })
  if (isBlocked(app, parameters)) return nativeOnly(app, parameters)
  try {
    const { balances: all } = await callRoute(app, {
      route: accountBalanceRoute,
      params: { address },
      query: {
        currency: 'usd',
        chainId,
        forceUpdate: forceUpdate ? getNativeToken(chainId) : undefined,
      },
    })
    const balances = all.filter(({ quantity }) => quantity.decimals !== '0')
    markFailure(app, id, undefined)
    return save(app, { id, atMs, balances })
  } catch (error) {
    if (isError(error, 'ABORTED') || isBrowserOffline()) throw error
    const isShown = isBlocked(app, parameters)
    // A network that the server does not support gets no retry.
    if (isUnknownNetwork(error)) app.runtime.unknownNetworks.add(chainId)
    else markFailure(app, id, app.environment.now())
    if (!isShown) showError(app, new LatchkeyError('TOKEN_BALANCE_UNAVAILABLE', { cause: error }))
    return nativeOnly(app, parameters).catch(() => {
      throw error
    })
  }
}

/** Returns the newest known balances: the ones just read, or those from a later read. */
function save(
  app: App,
  { id, atMs, balances }: { id: string; atMs: number; balances: readonly Balance[] },
): readonly Balance[] {
  const answer = { atMs, balances: [...balances] }
  const isNewest = saveResponse(app, { cache: 'portfolios', id, answer })
  return isNewest ? balances : (getFresh(app, id) ?? balances)
}

function getNativeToken(chainId: ChainId): string | undefined {
  const { nativeTokenAddress } = namespaceMetadata[parseChainId(chainId).namespace]
  return nativeTokenAddress && `${chainId}:${nativeTokenAddress}`
}

/** Saves when the server failed, or removes the saved time. */
function markFailure(app: App, id: string, atMs: number | undefined) {
  const { [id]: before, ...others } = app.store.getState().balancesFailedAtMs
  if (atMs === undefined && before === undefined) return
  app.store.setState({
    balancesFailedAtMs: atMs === undefined ? others : { ...others, [id]: atMs },
  })
}

/** Whether requests pause: the server failed recently, or does not support the network. */
function isBlocked(app: App, { id, chainId }: BalancesParameters): boolean {
  if (app.runtime.unknownNetworks.has(chainId)) return true
  const failedAtMs = app.store.getState().balancesFailedAtMs[id]
  return failedAtMs !== undefined && app.environment.now() - failedAtMs < balanceRetryBlockMs
}

// Everything else in the request is valid, so 400 is about the network.
const isUnknownNetwork = (error: unknown) =>
  isError(error, 'HTTP_FAILED') && Number(error.data.status) === 400

async function nativeOnly(app: App, { address, chainId, forceUpdate }: BalancesParameters) {
  const wei = await getNativeBalance(app, { address, chainId, forceUpdate: forceUpdate ?? false })
  const network = app.store.getState().networks.find((entry) => entry.caipNetworkId === chainId)
  if (!network) throw new LatchkeyError('NO_RPC_URL', { data: { id: chainId } })
  const { name, symbol, decimals } = network.nativeCurrency
  const quantity = { decimals: String(decimals), numeric: fromSmallestUnit(wei, decimals) }
  return [{ name, symbol, chainId, quantity, iconUrl: '' }]
}

function getFresh(app: App, id: string): readonly Balance[] | undefined {
  const saved = getSavedResponse(app, { cache: 'portfolios', id, lifetimeMs: portfolioLifetimeMs })
  return saved && parse(z.array(balanceEntry), saved.balances)
}
