/** The faults of a layout, each by the element or the word that has it. */
export type LayoutDefects = {
  /** Elements that leave the measured element at a side. */
  outside: string[]
  /** Words that an element around them cuts at a side, or an ellipsis to less than 3 letters. */
  cut: string[]
  /** Words of buttons that continue on another line, although they are short. */
  brokenWords: string[]
  /** Elements that scroll sideways. */
  scrolled: string[]
}

/**
 * Lists the faults of the layout inside an element. What an ellipsis ends after some letters, or a
 * row that scrolls sideways contains, is not cut. It runs in any page, so it uses nothing outside.
 */
export function layoutDefects(selector: string): LayoutDefects {
  const root = document.querySelector(selector)
  if (!root) throw new Error(`nothing is ${selector}`)
  const edge = root.getBoundingClientRect()
  const identify = (node: Element) =>
    `${node.tagName} ${node.getAttribute('class') ?? ''} "${node.textContent?.slice(0, 60)}"`
  const isScroller = ({ overflowX }: CSSStyleDeclaration) => /auto|scroll/.test(overflowX)
  const scrolls = (node: Element) =>
    isScroller(getComputedStyle(node)) && node.scrollWidth > node.clientWidth + 1
  /** The nearest element that cuts the content of a node, or scrolls it. */
  const getClip = (node: Element | null) => {
    for (let at = node; at; at = at.parentElement) {
      const style = getComputedStyle(at)
      if (style.overflowX === 'visible') continue
      let isScrolled = isScroller(style)
      for (let row: Element | null = at; row && row !== root; row = row.parentElement)
        isScrolled ||= scrolls(row)
      return { box: at.getBoundingClientRect(), style, isScrolled }
    }
    return undefined
  }
  const isBeyond = (rect: DOMRect, box: DOMRect) =>
    rect.width > 1 && (rect.left < box.left - 1 || rect.right > box.right + 1)

  const elements = [...root.querySelectorAll('*')]
  const outside = elements.filter((node) => {
    // The inside of a drawing is cut at its edge.
    if ((node instanceof SVGElement && node.ownerSVGElement) || node.closest('[inert]'))
      return false
    const rect = node.getBoundingClientRect()
    if (rect.height <= 1 || !isBeyond(rect, edge)) return false
    const clip = getClip(node.parentElement)
    // A label for screen readers is clipped: nothing of it is visible.
    return !clip?.isScrolled && (!clip || clip.style.clipPath === 'none')
  })

  const isStump = (node: Element) => {
    const { textOverflow, clipPath } = getComputedStyle(node)
    const isMarked = textOverflow === 'ellipsis' && clipPath === 'none'
    return isMarked && node.clientWidth < 40 && node.scrollWidth > node.clientWidth + 1
  }
  const cut = elements.filter(isStump).map(identify)
  const brokenWords: string[] = []
  // Not the parts of a long word with hyphens, which has to break somewhere.
  const shortWord = /(?<!\S)\p{L}{2,12}(?!\S)/gu
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement
    const words = node.textContent ?? ''
    if (!words.trim() || !parent?.checkVisibility()) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const clip = getClip(parent)
    const isMarked = clip?.style.textOverflow === 'ellipsis' || clip?.style.clipPath !== 'none'
    if (clip && !clip.isScrolled && !isMarked)
      if ([...range.getClientRects()].some((rect) => isBeyond(rect, clip.box)))
        cut.push(identify(parent))
    if (!parent.closest('button')) continue
    for (const { index, 0: word } of words.matchAll(shortWord)) {
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
      if (lines.size > 1) brokenWords.push(word)
    }
  }
  return {
    outside: outside.map(identify),
    cut,
    brokenWords,
    scrolled: elements.filter(scrolls).map(identify),
  }
}
