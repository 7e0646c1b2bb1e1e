import { useSyncExternalStore } from 'react'

// The browser reports only its own back and forward; this event reports our navigations.
const moved = 'latchkey:moved'

function subscribe(listener: () => void) {
  window.addEventListener('popstate', listener)
  window.addEventListener(moved, listener)
  return () => {
    window.removeEventListener('popstate', listener)
    window.removeEventListener(moved, listener)
  }
}

/** A path without a trailing slash. */
export const toRoute = (path: string): string => path.replace(/(.)\/+$/, '$1')

/** The path of the current page, without a trailing slash. */
export const useRoute = (): string =>
  useSyncExternalStore(subscribe, () => toRoute(location.pathname))

/** Navigates to another page of this app. */
export function navigate(path: string) {
  if (path === location.pathname) return
  history.pushState(null, '', path)
  window.dispatchEvent(new Event(moved))
  window.scrollTo({ top: 0 })
}
