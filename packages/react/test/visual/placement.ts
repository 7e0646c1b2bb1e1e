import { isInSight } from '@latchkey/dev/isInSight'
import { getCard } from '../gallery/measures.ts'

const isInside = ({ left, right, top, bottom }: DOMRect) =>
  left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1

/**
 * The important parts of the modal that are out of sight, covered or too small: the card, its
 * title, its close button and the main button of the view. `mayScroll`: a user may have to scroll
 * to the main button.
 */
export function findMisplaced({
  canClose,
  mayScroll,
}: {
  canClose: boolean
  mayScroll: boolean
}): string[] {
  const card = getCard()
  const [, header, frame] = card.children
  const main = [...card.querySelectorAll('button[data-look="main"]')].at(-1)
  if (mayScroll) main?.scrollIntoView({ block: 'nearest' })
  const isWide = frame !== undefined && frame.scrollWidth > frame.clientWidth
  const isFlat = main !== undefined && main.getBoundingClientRect().height < 44
  const problems = {
    'the card leaves the window': !isInside(card.getBoundingClientRect()),
    'the title is out of sight': !isInSight(header?.querySelector('h2')),
    'the close button is out of sight':
      canClose && !isInSight(header?.lastElementChild?.querySelector('button')),
    'the view scrolls sideways': isWide,
    'the main button is out of sight': main !== undefined && !isInSight(main),
    'the main button is lower than 44 px': isFlat,
  }
  return Object.entries(problems).flatMap(([problem, isTrue]) => (isTrue ? [problem] : []))
}
