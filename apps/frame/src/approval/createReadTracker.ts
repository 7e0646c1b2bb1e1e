/**
 * The smallest window for reading part by part, in CSS px: otherwise a page could make the frame as
 * low as a single line.
 */
const partsSize = { width: 300, height: 320 }

/**
 * Tracks whether the user has scrolled through all `elements`, which do not fit into the window,
 * from the top and without a gap, until the last element (the control) is visible. A new width or
 * height of the elements moves the lines, so the reading starts over.
 */
export function createReadTracker(window: Window, elements: readonly Element[]): () => boolean {
  let readPx = 0
  let drawn = { width: 0, height: 0 }
  return () => {
    const boxes = elements.map((element) => element.getBoundingClientRect())
    const control = boxes.at(-1)
    if (!control) return false
    const { innerWidth, innerHeight } = window
    const top = Math.min(...boxes.map((box) => box.top))
    const height = Math.max(...boxes.map((box) => box.bottom)) - top
    if (innerWidth < partsSize.width || innerHeight < partsSize.height) return false
    if (innerWidth !== drawn.width || Math.abs(height - drawn.height) > 1) {
      drawn = { width: innerWidth, height }
      readPx = 0
    }
    // Rounded, because the browser rounds positions when it draws.
    if (-top <= readPx + 1) readPx = Math.max(readPx, innerHeight - top)
    const fills = control.top <= 1 && control.bottom >= innerHeight - 1
    const isWithin = control.top >= -1 && control.bottom <= innerHeight + 1
    return height > innerHeight && readPx >= height - 1 && (fills || isWithin)
  }
}
