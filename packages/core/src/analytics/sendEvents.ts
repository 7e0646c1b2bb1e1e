import { type AnalyticsEvent, getAnalyticsConfigRoute, maxAnalyticsEvents } from '@latchkey/wire'
import type { App } from '../app.ts'
import { callRoute } from '../server/callRoute.ts'
import { getApiUrl } from '../server/getApiUrl.ts'
import type { CountedEvent, EventQueue } from './countedEvent.ts'

/** How long events wait to be sent together. */
const batchWaitMs = 10_000
/** How long after the page starts INITIALIZE is sent, so that it does not delay the page. */
const startWaitMs = 2_000

/**
 * Adds an event to the app's queue. The first event checks whether the server collects events; if
 * not, there is no queue.
 */
export async function queueEvent(app: App, counted: CountedEvent): Promise<void> {
  app.runtime.analytics ??= openQueue(app)
  const queue = await app.runtime.analytics
  queue?.(counted)
}

/**
 * Counts that a page was opened, two seconds later, for an app that enables analytics. A browser
 * with tracking disabled sends nothing for a mere visit.
 */
export async function countStart(app: App): Promise<void> {
  const { page, sleep } = app.environment
  const { doNotTrack, globalPrivacyControl } = (page?.navigator ?? {}) as Privacy
  if (doNotTrack === '1' || globalPrivacyControl) return
  await sleep(startWaitMs, app.signal)
  if (!app.signal.aborted) app.runtime.analytics ??= openQueue(app)
}

/** The settings of a browser against tracking: Do Not Track and Global Privacy Control. */
type Privacy = { readonly doNotTrack?: string | null; readonly globalPrivacyControl?: boolean }

async function openQueue(app: App): Promise<EventQueue | undefined> {
  const { page, now, sleep } = app.environment
  if (!page?.navigator.sendBeacon) return undefined
  const { isAnalyticsEnabled } = await callRoute(app, { route: getAnalyticsConfigRoute }).catch(
    () => ({
      isAnalyticsEnabled: false,
    }),
  )
  if (!isAnalyticsEnabled || app.signal.aborted) return undefined
  let waiting: AnalyticsEvent[] = []
  const flush = () => {
    if (waiting.length === 0) return
    // A string body needs no preflight request, for which a closing page could not wait.
    page.navigator.sendBeacon?.(getApiUrl(app, '/batch'), JSON.stringify(waiting))
    waiting = []
  }
  const queue: EventQueue = (counted) => {
    // More events than this in a batch are a repeating fault.
    if (waiting.length === maxAnalyticsEvents) return
    if (waiting.length === 0) void sleep(batchWaitMs, app.signal).then(flush)
    waiting.push(toEvent(counted, now()))
  }
  const flushIfHidden = () => page.document.visibilityState === 'hidden' && flush()
  page.addEventListener('pagehide', flush)
  page.addEventListener('visibilitychange', flushIfHidden, true)
  app.signal.addEventListener('abort', () => {
    page.removeEventListener('pagehide', flush)
    page.removeEventListener('visibilitychange', flushIfHidden, true)
  })
  queue({ event: 'INITIALIZE' })
  return queue
}

const toEvent = ({ event, properties }: CountedEvent, nowMs: number): AnalyticsEvent => ({
  eventId: crypto.randomUUID(),
  timestamp: nowMs,
  props: {
    type: event.includes('ERROR') ? 'error' : 'track',
    event,
    ...(properties && { properties }),
  },
})
