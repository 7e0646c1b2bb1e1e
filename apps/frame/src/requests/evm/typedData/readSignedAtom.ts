import { checksumAddress } from '@latchkey/wire'

/**
 * A value of a type that EIP-712 defines. A number is the value of a `string` field that the page
 * gave as a number; the number is signed.
 */
export type SignedAtom = string | number | boolean

/** Names of EIP-712's own types. */
export const atomicType =
  /^(u?int\d*|bytes\d*|u?fixed.*|bool|string|address|function|mapping|struct)$/

/**
 * Parses a value into the form that is signed: numbers as decimals, bytes in lower case, addresses
 * with their checksum. Undefined if EIP-712 does not define the type, or if the value does not
 * match the type.
 */
export function readSignedAtom(type: string, value: unknown): SignedAtom | undefined {
  const [, kind = '', digits = ''] = /^(u?int|bytes|bool|string|address)(\d*)$/.exec(type) ?? []
  const size = digits === '' ? undefined : Number(digits)
  if (/int/.test(kind)) return readInteger(value, { isSigned: kind === 'int', bits: size ?? 256 })
  if (kind === 'bytes') return readBytes(value, size)
  if (size !== undefined) return undefined
  if (kind === 'bool') return typeof value === 'boolean' ? value : undefined
  // viem and other wallets hash the number, and not its digits as a string.
  if (kind === 'string' && typeof value === 'number')
    return Number.isSafeInteger(value) && value >= 0 ? value : undefined
  if (typeof value !== 'string') return undefined
  if (kind === 'string') return value
  return kind === 'address' && /^0x[0-9a-f]{40}$/i.test(value)
    ? checksumAddress(value.toLowerCase())
    : undefined
}

function readBytes(value: unknown, size: number | undefined): string | undefined {
  if (typeof value !== 'string' || !/^0x[0-9a-f]*$/i.test(value)) return undefined
  // Hex with an odd number of digits gets a leading zero.
  if (size === undefined) return `0x${value.length % 2 ? '0' : ''}${value.slice(2).toLowerCase()}`
  return size >= 1 && size <= 32 && value.length === 2 + 2 * size ? value.toLowerCase() : undefined
}

const integer = /^\s*(?:-?\d{1,78}|0x[0-9a-f]{1,200}|)\s*$/i

function readInteger(
  value: unknown,
  { isSigned, bits }: { isSigned: boolean; bits: number },
): string | undefined {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
  if (typeof text !== 'string' || !integer.test(text)) return undefined
  if (bits < 8 || bits > 256 || bits % 8 !== 0) return undefined
  const number = BigInt(text)
  const cut = isSigned ? BigInt.asIntN(bits, number) : BigInt.asUintN(bits, number)
  return number === cut ? String(number) : undefined
}
