import { createHash } from 'node:crypto'

const digestBytes = 16

/**
 * Writes a position in a list as an opaque string: its bytes, starting with the version of the
 * layout, and a digest that binds them to `scope`. The string contains no secret and grants no
 * access, so the digest has no key.
 */
export const writeCursorText = (position: Uint8Array, scope: readonly string[]): string =>
  Buffer.concat([position, bind(position, scope)]).toString('base64url')

/**
 * Reads the bytes of a position; undefined if the string is not a cursor of this version and
 * length, or belongs to another scope.
 */
export function readCursorText(
  text: string,
  expected: { version: number; positionBytes: number; scope: readonly string[] },
): Buffer | undefined {
  const { version, positionBytes, scope } = expected
  if (text.length !== Math.ceil(((positionBytes + digestBytes) * 4) / 3)) return undefined
  const all = Buffer.from(text, 'base64url')
  // Several strings decode to the same value; only the canonical string is valid.
  if (all.toString('base64url') !== text) return undefined
  const position = all.subarray(0, positionBytes)
  const isBound = all.subarray(positionBytes).equals(bind(position, scope))
  return isBound && position[0] === version ? position : undefined
}

const bind = (position: Uint8Array, scope: readonly string[]) =>
  createHash('sha256')
    .update(JSON.stringify(scope))
    .update(position)
    .digest()
    .subarray(0, digestBytes)
