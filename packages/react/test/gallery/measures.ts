import { brokenNumbers } from '@latchkey/dev/brokenNumbers'

/** How long nothing may have changed. */
const quietMs = 150
/** How long a view may take to load. */
const limitMs = 20_000

/** Lists and grids that still load, and buttons that wait for data. */
const loading = ':is([role="status"][aria-label] > [aria-hidden="true"], button[aria-busy])'

/**
 * Resolves when the open view has loaded and no longer changes. With `neverLoads`, the view may
 * still wait. Throws if that takes longer than 20 s.
 */
export async function untilStill({ neverLoads = false } = {}): Promise<void> {
  const startedAtMs = performance.now()
  let changedAtMs = startedAtMs
  const changes = new MutationObserver(() => {
    changedAtMs = performance.now()
  })
  const all = { subtree: true, childList: true, attributes: true, characterData: true }
  changes.observe(document.documentElement, all)
  const isReady = () => {
    const dialog = document.querySelector('dialog[open]')
    return dialog !== null && (neverLoads || dialog.querySelector(loading) === null)
  }
  while (!isReady() || performance.now() - changedAtMs < quietMs) {
    if (performance.now() - startedAtMs > limitMs) throw new Error('The view is still loading')
    await new Promise(requestAnimationFrame)
  }
  changes.disconnect()
}

/** Opens collapsed parts of the view, so that they are measured too. */
export const unfold = (): void => {
  for (const section of document.querySelectorAll('dialog[open] details'))
    section.setAttribute('open', '')
}

/** The card of the open modal. */
export function getCard(): HTMLElement {
  const card = document.querySelector<HTMLElement>('dialog[open] > [data-view]')
  if (!card) throw new Error('No modal is open')
  return card
}

/** The parts of the card that leave it, are cut, or break a number or a short word. */
export const findDefects = (): string[] => [
  ...brokenNumbers('dialog[open] > [data-view]').map((found) => `broken number: ${found}`),
  ...findBrokenWords(),
  ...findOverflow(),
  ...findCut(),
]

/** The elements that leave the card; the inside of a drawing is cut at its own edge. */
export function findOverflow(): string[] {
  const card = getCard()
  const edge = card.getBoundingClientRect()
  return [...card.querySelectorAll('*')]
    .filter((node) => {
      if (node instanceof SVGElement && node.ownerSVGElement) return false
      const { left, right, width, height } = node.getBoundingClientRect()
      const isOutside = left < edge.left - 1 || right > edge.right + 1
      return isOutside && width > 1 && height > 1 && !getClip(node.parentElement)?.isScrolled
    })
    .map((node) => `leaves the card: ${identify(node)}`)
}

/** Not the parts of a long word with hyphens, which has to break somewhere. */
const shortWord = /(?<!\S)\p{L}{2,12}(?!\S)/gu

/** The words of buttons that continue on another line, although they are short. */
function findBrokenWords(): string[] {
  const texts = document.createTreeWalker(getCard(), NodeFilter.SHOW_TEXT)
  const broken: string[] = []
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (!node.parentElement?.closest('button')?.checkVisibility()) continue
    for (const { index, 0: word } of (node.textContent ?? '').matchAll(shortWord)) {
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
      if (lines.size > 1) broken.push(`broken word: ${word}`)
    }
  }
  return broken
}

/** The words that an element around them cuts at a side, unless an ellipsis shows that. */
function findCut(): string[] {
  const words = document.createTreeWalker(getCard(), NodeFilter.SHOW_TEXT)
  const cut: string[] = []
  for (let node = words.nextNode(); node; node = words.nextNode()) {
    const parent = node.parentElement
    if (!parent?.checkVisibility() || !node.textContent?.trim()) continue
    const clip = getClip(parent)
    if (!clip || clip.isScrolled || clip.isMarked) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const isCut = [...range.getClientRects()].some(
      ({ left, right, width }) =>
        width > 1 && (left < clip.edge.left - 1 || right > clip.edge.right + 1),
    )
    if (isCut) cut.push(`cut: ${identify(parent)}`)
  }
  return cut
}

/**
 * The nearest element that cuts the content of a node, or scrolls it sideways. It is marked if it
 * ends with an ellipsis, or is a label for screen readers, of which nothing is visible.
 */
function getClip(node: Element | null) {
  for (let at = node; at; at = at.parentElement) {
    const { overflowX, textOverflow, clipPath } = getComputedStyle(at)
    if (overflowX === 'visible') continue
    return {
      edge: at.getBoundingClientRect(),
      isScrolled: overflowX === 'auto' || overflowX === 'scroll',
      isMarked: textOverflow === 'ellipsis' || clipPath !== 'none',
    }
  }
  return undefined
}

/** The name, the class and the first words of an element, to find it by. */
export const identify = (node: Element): string =>
  `${node.tagName} ${node.getAttribute('class') ?? ''} "${node.textContent?.slice(0, 60)}"`
