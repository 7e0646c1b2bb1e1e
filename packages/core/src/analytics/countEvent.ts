import type { AnalyticsEvent } from '@latchkey/wire'
import type { App } from '../app.ts'

/** An event as it is counted; those that end in ERROR are errors. */
export type CountedEvent = Pick<AnalyticsEvent['props'], 'event' | 'properties'>

/** Counts an event for the operator, unless the app refuses or the server does not collect any. Never fails. */
export function countEvent(app: App, counted: CountedEvent): void {
  if (app.config.features.analytics === false) return
  import('./sendEvents.ts').then(({ queueEvent }) => queueEvent(app, counted)).catch(() => {})
}
