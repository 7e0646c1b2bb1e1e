import type { App } from '../app.ts'
import type { CountedEvent } from './countedEvent.ts'

/**
 * Counts an event for the operator, unless the app refuses or the server does not collect any.
 * Never fails.
 */
export function countEvent(app: App, counted: CountedEvent): void {
  if (app.config.analytics === false) return
  import('./sendEvents.ts').then(({ queueEvent }) => queueEvent(app, counted)).catch(() => {})
}
