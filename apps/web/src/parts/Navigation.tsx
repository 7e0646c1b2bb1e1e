import { getCapabilities } from '@latchkey/core'
import { useApp, useFeatures, useNetwork } from '@latchkey/react'
import { text } from '../locales/text.ts'
import { ownPages, viewPages } from '../pages/viewPages.ts'
import { Glyph } from './Glyph.tsx'
import { Link } from './Link.tsx'
import { MoreMenu } from './MoreMenu.tsx'

/** The links to the pages in the header. A narrow header has some of them in its menu. */
export function HeaderNav() {
  const { offered, inBar } = usePages()
  return (
    <nav className="pages" aria-label={text('app.pages')}>
      <Link to="/">{text('nav.home')}</Link>
      {inBar.map((page) => (
        <Link key={page.path} to={page.path} className="wide" isHeld={!offered.includes(page)}>
          {text(`nav.${page.name}`)}
        </Link>
      ))}
      <MoreMenu pages={[...offered, ...ownPages]}>
        {text('nav.more')}
        <Glyph name="down" size={16} />
      </MoreMenu>
    </nav>
  )
}

/** The bar of pages at the bottom, shown on phones only. */
export function ThumbBar() {
  const { offered, inBar } = usePages()
  return (
    <nav className="thumbBar" aria-label={text('app.pages')}>
      <Link to="/">
        <Glyph name="home" />
        {text('nav.home')}
      </Link>
      {inBar.map((page) => (
        <Link key={page.path} to={page.path} isHeld={!offered.includes(page)}>
          {page.glyph && <Glyph name={page.glyph} />}
          <span>{text(`nav.${page.name}`)}</span>
        </Link>
      ))}
      <MoreMenu pages={[...offered.filter(({ glyph }) => glyph === undefined), ...ownPages]}>
        <Glyph name="more" />
        {text('nav.more')}
      </MoreMenu>
    </nav>
  )
}

/**
 * The pages that the selected network offers, and those with a place in a bar. Until the server's
 * features are known, a page in a bar keeps its space but is invisible.
 */
function usePages() {
  const { caipNetworkId: chainId } = useNetwork().network
  const { data: areas } = useFeatures()
  const can = getCapabilities(useApp(), { chainId, areas })
  const offered = viewPages.filter(({ needs }) => needs === undefined || can[needs])
  const inBar = viewPages.filter(
    (page) => page.glyph !== undefined && (areas === undefined || offered.includes(page)),
  )
  return { offered, inBar }
}
