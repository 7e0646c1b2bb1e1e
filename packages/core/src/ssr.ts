/** The state of an app on a server that renders its pages: no browser is needed. */
export { cookieToInitialState, type SavedState } from './ssr/savedState.ts'
