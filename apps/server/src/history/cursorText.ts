import { createHash } from 'node:crypto'

const digestBytes = 16

/**
 * Writes a position in a list as an opaque string: its bytes, starting with the version of the
 * layout, and a digest that binds them to `scope`. The string contains no secret and grants no
 * access, so the digest has no key.
 */
export const writeCursorText = (place: Uint8Array, scope: readonly string[]): string =>
  Buffer.concat([place, bind(place, scope)]).toString('base64url')

/**
 * Reads the bytes of a position; undefined if the string is not a cursor of this version and
 * length, or belongs to another scope.
 */
export function readCursorText(
  text: string,
  expected: { version: number; placeBytes: number; scope: readonly string[] },
): Buffer | undefined {
  const { version, placeBytes, scope } = expected
  if (text.length !== Math.ceil(((placeBytes + digestBytes) * 4) / 3)) return undefined
  const all = Buffer.from(text, 'base64url')
  // Several strings decode to the same value; only the canonical string is valid.
  if (all.toString('base64url') !== text) return undefined
  const place = all.subarray(0, placeBytes)
  const isBound = all.subarray(placeBytes).equals(bind(place, scope))
  return isBound && place[0] === version ? place : undefined
}

const bind = (place: Uint8Array, scope: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(scope)).update(place).digest().subarray(0, digestBytes)
