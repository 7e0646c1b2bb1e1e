import type { SocialProvider } from '@latchkey/wire'
import type { App } from '../../app.ts'

/** Apps that show pages in an in-app browser, which cannot open windows. */
const inApp = /; wv\)|FBA[NV]\/|Instagram|\bLine\//
/** The in-app browsers that each provider refuses. */
const refused: { readonly [P in SocialProvider]?: RegExp } = { google: inApp, facebook: /; wv\)/ }

const getUserAgent = (app: App) => app.environment.page?.navigator.userAgent ?? ''

/** Whether the page runs in another app's in-app browser. */
export const isInApp = (app: App): boolean => inApp.test(getUserAgent(app))

/** Whether a provider is known to refuse the in-app browser that shows this page. */
export const refusesInApp = (app: App, provider: SocialProvider): boolean =>
  refused[provider]?.test(getUserAgent(app)) === true
