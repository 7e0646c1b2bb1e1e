import * as z from 'zod/mini'
import type { Route } from './route.ts'

/** The events that an app counts. */
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
 * How the wallet connected: `mobile` by a link on a phone, `qrcode` by a QR code, `external` by the
 * app's own connector.
 */
export const analyticsMethods = ['browser', 'external', 'login', 'mobile', 'qrcode'] as const
export type AnalyticsMethod = (typeof analyticsMethods)[number]

/** The largest number of events in one request. */
export const maxAnalyticsEvents = 50

/**
 * One anonymous event: no address, no name, no page. CONNECT_SUCCESS has `method`,
 * SOCIAL_LOGIN_SUCCESS has `provider`. `code` is an error code of our table.
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
 * `GET /getAnalyticsConfig`: whether the operator's server collects analytics. If so, `POST /batch`
 * accepts a list of events.
 */
export const getAnalyticsConfigRoute = {
  method: 'GET',
  path: '/getAnalyticsConfig',
  result: z.object({ isAnalyticsEnabled: z.boolean() }),
} as const satisfies Route
