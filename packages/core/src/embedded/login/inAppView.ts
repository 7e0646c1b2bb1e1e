import type { SocialProvider } from '@latchkey/wire'
import type { App } from '../../app.ts'

/** Apps that show pages in a view of their own, which opens no windows. */
const inApp = /; wv\)|FBA[NV]\/|Instagram|\bLine\//
/** Providers that refuse to sign in in such a view, by the views that they refuse. */
const refused: { readonly [P in SocialProvider]?: RegExp } = { google: inApp, facebook: /; wv\)/ }

const getUserAgent = (app: App) => app.environment.page?.navigator.userAgent ?? ''

/** Whether another app shows this page in a view of its own. */
export const isInApp = (app: App): boolean => inApp.test(getUserAgent(app))

/** Whether a provider is known to refuse the view of another app that shows this page. */
export const refusesInApp = (app: App, provider: SocialProvider): boolean =>
  refused[provider]?.test(getUserAgent(app)) === true
