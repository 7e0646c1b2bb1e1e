/**
 * Whether an element is in the window, and nothing covers its middle. It runs in any page, so it
 * uses nothing outside.
 */
export function isInSight(element: Element | null | undefined): boolean {
  if (!element) return false
  const { x, y, width, height, left, right, top, bottom } = element.getBoundingClientRect()
  const isInside = left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1
  return isInside && element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}
