/**
 * Below this size nothing can be read part by part: a page could make the frame as low as a line of
 * its own. CSS px.
 */
const partsSize = { width: 300, height: 320 }

/**
 * Whether a person has read all of `elements`, which do not fit into the window: part by part, from
 * the top and without a gap, until the last of them, the control, is in sight. In another width or
 * height of theirs, the lines are elsewhere: what was read before does not count.
 */
export function createReader(window: Window, elements: readonly Element[]): () => boolean {
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
    // Rounded, as the browser draws.
    if (-top <= readPx + 1) readPx = Math.max(readPx, innerHeight - top)
    const fills = control.top <= 1 && control.bottom >= innerHeight - 1
    const isWithin = control.top >= -1 && control.bottom <= innerHeight + 1
    return height > innerHeight && readPx >= height - 1 && (fills || isWithin)
  }
}
