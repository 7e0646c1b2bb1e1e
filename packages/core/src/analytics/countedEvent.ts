import type { AnalyticsEvent } from '@latchkey/wire'

/** An event as it is counted. */
export type CountedEvent = Pick<AnalyticsEvent['props'], 'event' | 'properties'>

/** Takes events until the app ends. */
export type EventQueue = (counted: CountedEvent) => void
