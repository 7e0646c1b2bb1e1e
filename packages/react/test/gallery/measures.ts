import { brokenNumbers } from '@latchkey/dev/brokenNumbers'
import { controlsWithoutEdge } from '@latchkey/dev/controlsWithoutEdge'
import { layoutDefects } from '@latchkey/dev/layoutDefects'

const cardSelector = 'dialog[open] > [data-view]'

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
  // A change is laid out only in the frame after it, which then can change the view again.
  let frames = 0
  const changes = new MutationObserver(() => {
    changedAtMs = performance.now()
    frames = 0
  })
  const all = { subtree: true, childList: true, attributes: true, characterData: true }
  changes.observe(document.documentElement, all)
  const isReady = () => {
    const dialog = document.querySelector('dialog[open]')
    return dialog !== null && (neverLoads || dialog.querySelector(loading) === null)
  }
  while (!isReady() || frames < 2 || performance.now() - changedAtMs < quietMs) {
    if (performance.now() - startedAtMs > limitMs) throw new Error('The view is still loading')
    await new Promise(requestAnimationFrame)
    frames += 1
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
  const card = document.querySelector<HTMLElement>(cardSelector)
  if (!card) throw new Error('No modal is open')
  return card
}

/** The parts of the card that leave it, are cut, or break a number or a short word. */
export function findDefects(): string[] {
  const { outside, cut, brokenWords } = layoutDefects(cardSelector)
  return [
    ...brokenNumbers(cardSelector).map((found) => `broken number: ${found}`),
    ...brokenWords.map((found) => `broken word: ${found}`),
    ...outside.map((found) => `leaves the card: ${found}`),
    ...cut.map((found) => `cut: ${found}`),
  ]
}

/** The buttons and fields of the view without an edge, which forced colors need. */
export const findWithoutEdge = (): string[] => controlsWithoutEdge(cardSelector)

/** The elements that leave the card. */
export const findOverflow = (): string[] => layoutDefects(cardSelector).outside

/** A name of an element for a list of defects. */
export const identify = (element: Element): string =>
  `${element.tagName} ${element.className} "${element.textContent?.slice(0, 60)}"`
