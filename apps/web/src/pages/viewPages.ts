import type { Capabilities } from '@latchkey/core'
import type { PageViewName } from '@latchkey/react'
import type { GlyphName } from '../parts/Glyph.tsx'

/** A page that shows a view of the modal. Its labels have the keys `nav.…` and `page.…`. */
export type ViewPageInfo = {
  readonly path: string
  readonly name: 'swap' | 'buy' | 'activity' | 'names' | 'allowances' | 'sessions' | 'settings'
  readonly view: PageViewName
  /** The feature that the selected network has to offer. */
  readonly needs?: keyof Capabilities
  /** The icon of a page that has a place in the header and in the bar on phones. */
  readonly glyph?: GlyphName
  readonly isForm?: true
  /** Whether the page lists what is on the selected network alone. */
  readonly isOnNetwork?: true
}

/** The pages that show a view of the modal, in their order. */
export const viewPages: readonly ViewPageInfo[] = [
  { path: '/swap', name: 'swap', view: 'Swap', needs: 'swap', glyph: 'swap', isForm: true },
  { path: '/buy', name: 'buy', view: 'Buy', needs: 'onramp', glyph: 'coins', isForm: true },
  {
    ...{ path: '/activity', name: 'activity', view: 'Transactions', needs: 'history' },
    glyph: 'clock',
    isOnNetwork: true,
  },
  { path: '/names', name: 'names', view: 'Names', needs: 'registerName' },
  {
    path: '/allowances',
    name: 'allowances',
    view: 'Allowances',
    needs: 'allowances',
    isOnNetwork: true,
  },
  { path: '/sessions', name: 'sessions', view: 'SmartSessionList', needs: 'sessions' },
  { path: '/settings', name: 'settings', view: 'AccountSettings' },
]

/** A page in the menu, by its path and its name (`nav.…`). */
export type PageLink = Pick<ViewPageInfo, 'path' | 'glyph'> & {
  readonly name: ViewPageInfo['name'] | (typeof ownPages)[number]['name']
}

/** The pages in the menu that show no view of the modal. */
export const ownPages = [
  { path: '/request', name: 'request' },
  { path: '/contacts', name: 'contacts' },
  { path: '/watch', name: 'watch' },
] as const

/** The page at a path; undefined if it shows no view of the modal. */
export const findViewPage = (path: string): ViewPageInfo | undefined =>
  viewPages.find((page) => page.path === path)
