import { type ChainId, parseChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import type { SwapDraft, SwapToken } from '../modal/views.ts'
import { hasAddressForm } from '../namespaces/namespaceMetadata.ts'
import { activeConnection, activeNetwork, emptyDrafts, isConnected } from '../state.ts'
import { createStorage } from '../storage.ts'
import { check, fields, number, type Read, storedText } from '../storageSchema.ts'
import { maxDecimals } from './getSwapTokens.ts'
import { maxSlippage } from './prepareSwap.ts'

/** How long after its last change a draft is restored. */
const lifetimeMs = 3_600_000

type StoredSwapDraft = { draft: SwapDraft; chainId: ChainId; address: string; atMs: number }

/**
 * Keeps the swap form in the tab from now on, and restores it after a reload if nothing was typed
 * since and the account and network are the same. Another account, another network or an hour end
 * it.
 */
export function persistSwapDraft(app: App): void {
  const { store, signal, environment, runtime } = app
  if (runtime.keepsSwapDraft) return
  runtime.keepsSwapDraft = true
  const saved = readDraft(app)
  const { chainId, address } = getPlace(app)
  const isOwn =
    saved !== undefined &&
    saved.chainId === chainId &&
    saved.address === address &&
    saved.atMs > environment.now() - lifetimeMs
  if (isOwn && store.getState().swapDraft === emptyDrafts.swapDraft)
    store.setState({ swapDraft: saved.draft })
  else saveSwapDraft(app)
  const stop = store.subscribe((state, before) => {
    const now = getPlace(app, state)
    const earlier = getPlace(app, before)
    if (now.address !== earlier.address || now.chainId !== earlier.chainId) clearSwapDraft(app)
    else if (state.swapDraft !== before.swapDraft) saveSwapDraft(app)
  })
  signal.addEventListener('abort', stop)
}

/** Saves the current form, for a page that keeps it. */
export function saveSwapDraft(app: App): void {
  if (!app.runtime.keepsSwapDraft) return
  const draft = app.store.getState().swapDraft
  const { chainId, address } = getPlace(app)
  if (draft === emptyDrafts.swapDraft || address === undefined) clearSwapDraft(app)
  else getTab(app).set('swapDraft', { draft, chainId, address, atMs: app.environment.now() })
}

/**
 * Forgets the saved form, so that a reloaded page does not offer a swap that the wallet may have
 * sent.
 */
export const clearSwapDraft = (app: App): void => getTab(app).remove('swapDraft')

const getTab = ({ config, environment: { tabArea } }: App) =>
  createStorage({ area: tabArea, storageKey: config.storageKey })

function getPlace({ store }: App, state = store.getState()) {
  const connection = activeConnection(state)
  const address = isConnected(connection) ? connection.account.address : undefined
  return { chainId: activeNetwork(state).caipNetworkId, address }
}

function readDraft(app: App): StoredSwapDraft | undefined {
  try {
    return readKept(getTab(app).get('swapDraft'))
  } catch {
    // No draft, or other code wrote it.
    return undefined
  }
}

const readKept: Read<StoredSwapDraft> = (value) => {
  const saved = fields(value)
  const chainId = storedText(saved.chainId) as ChainId
  const { from, to, amount, isMax, slippage } = fields(saved.draft)
  const readToken = toTokenReader(chainId)
  check(number(slippage) >= 0 && number(slippage) <= maxSlippage)
  const draft = {
    ...(from !== undefined && { from: readToken(from) }),
    ...(to !== undefined && { to: readToken(to) }),
    ...(isMax === true && { isMax: true as const }),
    amount: storedText(amount),
    slippage: number(slippage),
  }
  return { draft, chainId, address: storedText(saved.address), atMs: number(saved.atMs) }
}

const toTokenReader =
  (chainId: ChainId): Read<SwapToken> =>
  (value) => {
    const { address, symbol, decimals, name, iconUrl, isUnlisted } = fields(value)
    const { namespace } = parseChainId(chainId)
    check(Number.isInteger(decimals) && number(decimals) >= 0 && number(decimals) <= maxDecimals)
    check(address === undefined || hasAddressForm({ namespace, text: storedText(address) }))
    return {
      ...(address !== undefined && { address: storedText(address) }),
      ...(isUnlisted === true && { isUnlisted: true }),
      symbol: storedText(symbol),
      decimals: number(decimals),
      name: storedText(name),
      iconUrl: storedText(iconUrl),
    }
  }
