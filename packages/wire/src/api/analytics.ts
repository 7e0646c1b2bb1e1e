import * as z from 'zod/mini'
import type { Route } from './route.ts'

/** What an app counts. */
export const analyticsEvents = [
  'INITIALIZE',
  'CONNECT_SUCCESS',
  'SOCIAL_LOGIN_SUCCESS',
  'DISCONNECT_SUCCESS',
  'DISCONNECT_ERROR',
  'ERROR_FETCH_TRANSACTIONS',
  'INTERNAL_SDK_ERROR',
] as const
export type AnalyticsEventName = (typeof analyticsEvents)[number]

/**
 * How a wallet was reached: `mobile` by a link on a phone, `qrcode` by a code, `external` by a
 * connector of the app.
 */
export const analyticsMethods = ['browser', 'external', 'login', 'mobile', 'qrcode'] as const
export type AnalyticsMethod = (typeof analyticsMethods)[number]

/** The largest number of events in one request. */
export const maxAnalyticsEvents = 50

/**
 * One event. It tells nothing of who it was: no address, no name, no page. `method` is that of
 * CONNECT_SUCCESS, `provider` that of SOCIAL_LOGIN_SUCCESS, `code` an error's of our table.
 */
export type AnalyticsEvent = {
  eventId: string
  timestamp: number
  props: {
    type: 'track' | 'error'
    event: AnalyticsEventName
    properties?: { method?: AnalyticsMethod; provider?: string; code?: string }
  }
}

/**
 * `GET /getAnalyticsConfig`: whether the operator collects analytics himself. Where he does,
 * `POST /batch` takes a list of events.
 */
export const getAnalyticsConfig = {
  method: 'GET',
  path: '/getAnalyticsConfig',
  result: z.object({ isAnalyticsEnabled: z.boolean() }),
} as const satisfies Route
