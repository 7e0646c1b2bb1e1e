/**
 * Turns the page right to left. Lists the parts of an element that are not at the mirrored place,
 * and the amounts and addresses whose characters no longer run left to right. It runs in any page,
 * so it uses nothing outside.
 */
export function mirrorDefects(selector: string): string[] {
  const root = document.querySelector(selector)
  if (!root) return [`nothing is ${selector}`]
  const identify = (node: Element) =>
    `${node.tagName} ${node.getAttribute('class') ?? ''} "${node.textContent?.slice(0, 60)}"`
  const isBlock = (node: Element) =>
    !/^(inline|contents|none)$/.test(getComputedStyle(node).display)
  const elements = [...root.querySelectorAll('*')].filter(
    (node) =>
      // The inside of a drawing keeps its direction.
      !(node instanceof SVGElement && node.ownerSVGElement) &&
      !node.closest('[inert]') &&
      isBlock(node) &&
      // Not a label for screen readers.
      getComputedStyle(node).clipPath === 'none' &&
      node.checkVisibility({ visibilityProperty: true }),
  )
  /** The place of an element's lines, unless they begin on their own side. */
  const getLines = (node: Element) => {
    const { unicodeBidi, textAlign, direction } = getComputedStyle(node)
    const isOwn =
      direction !== document.dir || (unicodeBidi === 'plaintext' && textAlign === 'start')
    const hasText = [...node.childNodes].some((one) => one instanceof Text && one.data.trim())
    if (isOwn || !hasText || node instanceof HTMLTextAreaElement) return undefined
    const range = document.createRange()
    range.selectNodeContents(node)
    return range.getBoundingClientRect()
  }
  const measure = (dir: 'ltr' | 'rtl') => {
    document.documentElement.dir = dir
    return elements.map((node) => ({ box: node.getBoundingClientRect(), lines: getLines(node) }))
  }
  const before = measure('ltr')
  const after = measure('rtl')
  const isMirrored = (from?: DOMRect, to?: DOMRect) =>
    !from ||
    !to ||
    (Math.abs(from.left - (innerWidth - to.right)) <= 2 &&
      Math.abs(from.right - (innerWidth - to.left)) <= 2)
  const misplaced = elements.filter((node, index) => {
    // Inside of what is read left to right, everything keeps its order.
    if (node.parentElement && getComputedStyle(node.parentElement).direction === 'ltr') return false
    const [from, to] = [before[index], after[index]]
    return !isMirrored(from?.box, to?.box) || !isMirrored(from?.lines, to?.lines)
  })

  const ordered = /0x[\da-f…]{6,}|[$€£+−-]*\d[\d.,]*\d?(?: ?%| [A-Z]{2,6}\b)?/gi
  const turned: string[] = []
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (!node.parentElement?.checkVisibility()) continue
    for (const { 0: part, index } of (node.textContent ?? '').matchAll(ordered)) {
      const places = [...part].map((_, at) => {
        const range = document.createRange()
        range.setStart(node, index + at)
        range.setEnd(node, index + at + 1)
        return range.getBoundingClientRect()
      })
      if (
        places.some(({ top, left }, at) => {
          const last = places[at - 1]
          return last && Math.abs(last.top - top) < 4 && left < last.left
        })
      )
        turned.push(part)
    }
  }
  return [
    ...misplaced.map((node) => `not mirrored: ${identify(node)}`),
    ...turned.map((part) => `turned: ${part}`),
  ]
}
