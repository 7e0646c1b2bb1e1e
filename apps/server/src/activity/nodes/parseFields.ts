import type { Hex } from '../../evm/hex.ts'
import type { ChainBlock, ChainLog } from './chainData.ts'

// Parsed by hand: a schema takes longer than the rest of the indexing. Throws on any invalid answer
// of a node.

type Fields = Readonly<Record<string, unknown>>

/** A JSON object. */
export function parseFields(json: unknown): Fields {
  if (typeof json !== 'object' || json === null)
    throw new TypeError('The node did not send an object')
  return json as Fields
}

/** The lower-case hex of a field, of length `bytes` if given. */
export function hexField(fields: Fields, name: string, bytes?: number): Hex {
  const value = fields[name]
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]*$/.test(value)) throw wrong(name)
  if (bytes !== undefined && value.length !== 2 + 2 * bytes) throw wrong(name)
  return value.toLowerCase() as Hex
}

/** As {@link hexField}; undefined if the field is null or missing. */
export const optionalHex = (fields: Fields, name: string, bytes?: number): Hex | undefined =>
  fields[name] === null || fields[name] === undefined ? undefined : hexField(fields, name, bytes)

/** A quantity of at most 32 bytes. */
export function bigField(fields: Fields, name: string): bigint {
  const hex = hexField(fields, name)
  if (hex.length < 3 || hex.length > 66) throw wrong(name)
  return BigInt(hex)
}

/** A quantity that fits a number. */
export function numberField(fields: Fields, name: string): number {
  const value = Number(bigField(fields, name))
  if (!Number.isSafeInteger(value)) throw wrong(name)
  return value
}

const wrong = (name: string) => new TypeError(`The node sent an invalid ${name}`)

/** A block without its transactions. */
export function parseBlock(json: unknown): ChainBlock {
  const fields = parseFields(json)
  return {
    number: numberField(fields, 'number'),
    hash: hexField(fields, 'hash', 32),
    parentHash: hexField(fields, 'parentHash', 32),
    minedMs: parseTime(fields),
  }
}

/** The time, within the range of `Date`. */
function parseTime(fields: Fields): number {
  const seconds = numberField(fields, 'timestamp')
  if (seconds > 8_640_000_000_000) throw wrong('timestamp')
  return seconds * 1000
}

/** A list of JSON values. */
export function parseList(json: unknown): readonly unknown[] {
  if (!Array.isArray(json)) throw new TypeError('The node did not send a list')
  return json
}

/** A log of a block. */
export function parseLog(json: unknown): ChainLog {
  const fields = parseFields(json)
  return {
    address: hexField(fields, 'address', 20),
    topics: parseList(fields.topics).map((topic) => hexField({ topic }, 'topic', 32)),
    data: hexField(fields, 'data'),
    blockHash: hexField(fields, 'blockHash', 32),
    blockNumber: numberField(fields, 'blockNumber'),
    transactionIndex: numberField(fields, 'transactionIndex'),
    logIndex: numberField(fields, 'logIndex'),
  }
}
