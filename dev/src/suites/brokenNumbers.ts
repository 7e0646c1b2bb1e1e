/**
 * Lists the numbers inside an element whose digits are on more than one line, or that its edge
 * cuts off, unless a row that scrolls sideways contains them. It runs in any page, so it uses
 * nothing outside.
 */
export function brokenNumbers(selector: string): string[] {
  // With an optional sign or currency. A longer number is an id and may break.
  const numbers = /(?<![\w.,])[$+−-]?\d[\d.,]{0,28}\d(?![\w.,]*\w)/g
  const root = document.querySelector(selector)
  if (!root) return [`nothing is ${selector}`]
  const { left, right } = root.getBoundingClientRect()
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const broken: string[] = []
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement
    if (!parent?.checkVisibility()) continue
    // A label for screen readers, of which nothing is visible.
    if (getComputedStyle(parent).clipPath !== 'none') continue
    // A list may shorten a number whose title has all digits.
    if (parent.closest('[title]') && getComputedStyle(parent).textOverflow === 'ellipsis') continue
    let isScrolled = false
    for (let at: Element | null = parent; at && at !== root; at = at.parentElement)
      isScrolled ||= getComputedStyle(at).overflowX === 'auto'
    for (const { 0: number, index } of (node.textContent ?? '').matchAll(numbers)) {
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + number.length)
      const rects = [...range.getClientRects()].filter(({ width }) => width > 1)
      const lines = new Set(rects.map(({ top }) => Math.round(top)))
      const isCut = rects.some((rect) => rect.left < left - 1 || rect.right > right + 1)
      if (lines.size > 1 || (isCut && !isScrolled))
        broken.push(`${number} in ${parent.textContent}`)
    }
  }
  return broken
}
