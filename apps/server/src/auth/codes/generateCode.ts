import { randomBytes } from 'node:crypto'

/** Draws random bytes. */
export type Draw = (count: number) => Uint8Array

/**
 * Six digits, all equally likely: draws 20 bits, and draws again if the number is not below a
 * million.
 */
export function generateCode(draw: Draw = randomBytes): string {
  for (;;) {
    const [high = 0, middle = 0, low = 0] = draw(3)
    const number = ((high & 0x0f) << 16) | (middle << 8) | low
    if (number < 1_000_000) return String(number).padStart(6, '0')
  }
}

/** Two digits, all equally likely. */
export function drawMatchCode(draw: Draw = randomBytes): string {
  for (;;) {
    const [byte = 0] = draw(1)
    if (byte < 200) return String(byte % 100).padStart(2, '0')
  }
}
