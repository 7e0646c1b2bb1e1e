import type { ChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { getCapabilities } from '../capabilities.ts'
import { invalidateReads } from '../server/dedupeRead.ts'
import { getAreas } from '../server/getAreas.ts'
import { activeConnection, activeNetwork } from '../state.ts'
import type { ActivityNews } from './activityNews.ts'
import { listenForEvents } from './listenForEvents.ts'

/** The polling interval if there is no socket. */
const pollMs = 30_000
/** How long changes are batched: blocks of a local chain may come in a burst. */
const throttleMs = 500

type WatchedAccount = { address: string; chainId: ChainId }
/** Resolves when all listeners have read the news; never rejects. */
type Notify = (news: ActivityNews) => Promise<unknown>

/**
 * Follows the connected account that is shown, until `signal` aborts. The server announces changes
 * through `listenForEvents`. On EVM networks, it does so when its index has written a block with a
 * transfer of the account. On Solana and Bitcoin, it polls every few seconds while a page listens.
 * History, balances and NFTs are then fetched again.
 */
export function followActivity(
  app: App,
  { signal, notify }: { signal: AbortSignal; notify: Notify },
): void {
  if (signal.aborted) return
  const { page } = app.environment
  let current: { key: string; controller: AbortController } | undefined
  const look = () => {
    const watched = getWatchedAccount(app)
    const key = watched && `${watched.chainId}:${watched.address}`
    if (key === current?.key) return
    current?.controller.abort()
    current = undefined
    if (!watched || !key || signal.aborted) return
    const controller = new AbortController()
    current = { key, controller }
    void followAccount(app, { watched, notify, signal: controller.signal })
  }
  const reconnectNow = () => {
    current?.controller.abort()
    current = undefined
    look()
  }
  const unsubscribe = app.store.subscribe(look)
  page?.addEventListener('visibilitychange', look)
  page?.addEventListener('online', reconnectNow)
  signal.addEventListener('abort', () => {
    unsubscribe()
    page?.removeEventListener('visibilitychange', look)
    page?.removeEventListener('online', reconnectNow)
    current?.controller.abort()
  })
  look()
}

function getWatchedAccount(app: App): WatchedAccount | undefined {
  const state = app.store.getState()
  const connection = activeConnection(state)
  const isSeen = app.environment.page?.document.visibilityState !== 'hidden'
  if (!isSeen || connection.status !== 'connected') return undefined
  return { address: connection.account.address, chainId: activeNetwork(state).caipNetworkId }
}

async function followAccount(
  app: App,
  parameters: { watched: WatchedAccount; notify: Notify; signal: AbortSignal },
) {
  const { watched, signal } = parameters
  const { address, chainId } = watched
  const areas = await getAreas(app).then(
    (areasOf) => areasOf(chainId),
    () => undefined,
  )
  if (!getCapabilities(app, { chainId, areas }).activity || signal.aborted) return
  const changed = throttle(app, {
    signal,
    notify: () => {
      invalidateReads(app)
      return parameters.notify({ type: 'changed', chainId, address })
    },
  })
  const link = { isOpen: false }
  void listenForEvents(app, {
    watched,
    signal,
    onOpen: (isOpen) => {
      link.isOpen = isOpen
      // Changes from before the listener was added.
      if (isOpen) changed()
    },
    onEvent: (event) => {
      if (event.type === 'changed') return changed()
      // A pending read may not include it.
      invalidateReads(app)
      void parameters.notify({ ...event, chainId, address })
    },
  })
  while (!signal.aborted) {
    await app.environment.sleep(pollMs, signal)
    if (!signal.aborted && !link.isOpen) changed()
  }
}

/**
 * Notifies at once, then at most every half second and never before all listeners have read: a
 * second read would get the response of the read in progress. The last call is never lost.
 */
function throttle(
  app: App,
  { signal, notify }: { signal: AbortSignal; notify: () => Promise<unknown> },
): () => void {
  let state: 'idle' | 'waiting' | 'again' = 'idle'
  const run = async () => {
    do {
      state = 'waiting'
      await Promise.all([notify(), app.environment.sleep(throttleMs, signal)])
      // Another call may have arrived meanwhile.
    } while ((state as string) === 'again' && !signal.aborted)
    state = 'idle'
  }
  return () => {
    if (signal.aborted) return
    if (state === 'idle') void run()
    else state = 'again'
  }
}
