import { isInSight } from '@latchkey/dev/isInSight'
import { getCard, identify } from '../gallery/measures.ts'

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

type Line = { top: number; left: number; right: number }

/** The visible strings of an element. */
function listTexts(element: Element): Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const nodes: Text[] = []
  while (walker.nextNode()) nodes.push(walker.currentNode as Text)
  return nodes.filter(({ parentElement: parent }) => {
    // Of a label for screen readers, nothing is visible.
    return parent?.checkVisibility() && getComputedStyle(parent).clipPath === 'none'
  })
}

/** The lines that a part of a string is on. */
function listLines(text: Text, start = 0, length = text.length): Line[] {
  const range = document.createRange()
  range.setStart(text, start)
  range.setEnd(text, start + length)
  return mergeLines([...range.getClientRects()].filter(({ width }) => width > 0))
}

/** Joins what is on the same line, small print included. */
function mergeLines(parts: readonly (Line & { bottom?: number })[]): Line[] {
  const lines: Line[] = []
  for (const { top, left, right } of parts) {
    const line = lines.find((other) => Math.abs(other.top - top) < 10)
    if (!line) lines.push({ top, left, right })
    else
      Object.assign(line, { left: Math.min(line.left, left), right: Math.max(line.right, right) })
  }
  return lines
}

/** The words of at most 20 characters, numbers among them, that are on more than one line. */
export const findSplitWords = (element: Element): string[] =>
  listTexts(element).flatMap((text) =>
    [...text.data.matchAll(/(?<!\S)\S{1,20}(?!\S)/g)]
      .filter(({ index, 0: word }) => listLines(text, index, word.length).length > 1)
      .map(([word]) => word),
  )

/** The rows with more than a tag, or with a name of more than `maxLines`. */
export const findCrowdedRows = (maxLines: number): string[] =>
  [...getCard().querySelectorAll('[class*="_words_"] > [class*="_label_"]')]
    .filter((label) => {
      const row = label.parentElement?.parentElement
      const tags = row?.querySelectorAll('[class*="_tag_"]') ?? []
      const lines = mergeLines(listTexts(label).flatMap((text) => listLines(text)))
      return tags.length > 1 || lines.length > maxLines
    })
    .map(identify)

/** The tab bars with a single tab, which offer no choice. */
export const findLonelyTabs = (): string[] =>
  [...getCard().querySelectorAll('[role="tablist"]')]
    .filter((list) => list.querySelectorAll('[role="tab"]').length < 2)
    .map(identify)

/** The numbers that do not stand before their percent sign or their unit, from left to right. */
export function findReversedNumbers(): string[] {
  const card = getCard()
  const isReversed = ([number]: Line[], [unit]: Line[]) =>
    number && unit && Math.abs(number.top - unit.top) < 10 && number.left > unit.left
  const shares = listTexts(card).filter((text) =>
    [...text.data.matchAll(/(\d[\d.,]*)\s?%/g)].some(({ index, 0: all, 1: number = '' }) =>
      isReversed(listLines(text, index, number.length), listLines(text, index + all.length - 1, 1)),
    ),
  )
  const amounts = [...card.querySelectorAll('[class*="_amount_"] > span + small')].filter(
    (unit) => {
      const read = (element: Element | null) =>
        element ? listTexts(element).flatMap((text) => listLines(text)) : []
      return isReversed(read(unit.previousElementSibling), read(unit))
    },
  )
  return [...shares.map(({ data }) => data), ...amounts.map(identify)]
}

/** The values next to their names in lists of facts that have a line that ends elsewhere. */
export const findUnevenFacts = (): string[] =>
  [...getCard().querySelectorAll('dl')].flatMap((list) => {
    const isRtl = getComputedStyle(list).direction === 'rtl'
    const values = [...list.querySelectorAll('dd')]
      .filter(({ parentElement: fact }) => fact && getComputedStyle(fact).display === 'flex')
      .map((value) => {
        const lines = mergeLines(listTexts(value).flatMap((text) => listLines(text)))
        return { value, ends: lines.map(({ left, right }) => (isRtl ? -left : right)) }
      })
    const end = Math.max(...values.flatMap(({ ends }) => ends))
    return values
      .filter(({ ends }) => ends.some((each) => end - each > 3))
      .map(({ value }) => identify(value))
  })
