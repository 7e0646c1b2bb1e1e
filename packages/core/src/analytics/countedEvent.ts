import type { AnalyticsEvent } from '@latchkey/wire'

/** An analytics event. */
export type CountedEvent = Pick<AnalyticsEvent['props'], 'event' | 'properties'>

/** Takes events until the app ends. */
export type EventQueue = (counted: CountedEvent) => void
