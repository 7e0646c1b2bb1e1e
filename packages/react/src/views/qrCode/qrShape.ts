import { encode } from 'uqr'

/** Light modules around a code that cameras need to find it (ISO/IEC 18004). */
export const quietModules = 4
/** Modules of a corner mark's side. */
const corner = 7
/**
 * Modules of a code's side that a logo may hide: about a twentieth of its area, while level M
 * corrects an eighth and more.
 */
const hiddenShare = 0.22

type Shape = {
  /** Modules of a side, without the quiet zone. */
  size: number
  /** Dark modules as an SVG path in module units, with rounded corner marks. */
  path: string
  /** The side in modules of the light area in the middle. */
  hole: number
}

/**
 * Computes the shape of a QR code: error correction M, or better if it costs no space, with space
 * for a logo in the middle.
 */
export function qrShape(text: string, { withHole }: { withHole: boolean }): Shape {
  const { data, size } = encode(text, { ecc: 'M', boostEcc: true, border: 0 })
  // Odd like the side, so that the hole covers whole modules.
  const hole = withHole ? 2 * Math.floor((size * hiddenShare) / 2) + 1 : 0
  const from = (size - hole) / 2
  const inHole = (at: number) => at >= from && at < from + hole
  const isDrawn = (x: number, y: number) =>
    data[y]?.[x] === true && !isCorner(x, y, size) && !(inHole(x) && inHole(y))
  const rows = Array.from({ length: size }, (_, y) => rowPath(y, size, isDrawn))
  const far = size - corner
  return {
    size,
    hole,
    path: [...rows, cornerPath(0, 0), cornerPath(far, 0), cornerPath(0, far)].join(''),
  }
}

function isCorner(x: number, y: number, size: number): boolean {
  const near = (at: number) => at < corner
  const far = (at: number) => at >= size - corner
  return (near(x) && near(y)) || (far(x) && near(y)) || (near(x) && far(y))
}

/** One rectangle for each run of dark modules. */
function rowPath(y: number, size: number, isDrawn: (x: number, y: number) => boolean): string {
  let path = ''
  for (let x = 0; x < size; x++) {
    const from = x
    while (x < size && isDrawn(x, y)) x++
    if (x > from) path += `M${from} ${y}h${x - from}v1h${from - x}z`
  }
  return path
}

/** A ring and its core; the ring's inner path runs the other way round, so that it stays light. */
const cornerPath = (x: number, y: number) =>
  `${rounded(x, y, 7, 2, 1)}${rounded(x + 1, y + 1, 5, 1.25, 0)}${rounded(x + 2, y + 2, 3, 0.75, 1)}`

function rounded(x: number, y: number, side: number, radius: number, sweep: 0 | 1): string {
  const line = side - 2 * radius
  const arc = (dx: number, dy: number) => `a${radius} ${radius} 0 0 ${sweep} ${dx} ${dy}`
  const r = radius
  return sweep === 1
    ? `M${x + r} ${y}h${line}${arc(r, r)}v${line}${arc(-r, r)}h${-line}${arc(-r, -r)}v${-line}${arc(r, -r)}z`
    : `M${x + r} ${y}${arc(-r, r)}v${line}${arc(r, r)}h${line}${arc(r, -r)}v${-line}${arc(-r, -r)}z`
}
