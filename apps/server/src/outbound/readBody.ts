import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

import type { MemoryReservation } from '../http/createResponseMemory.ts'
import { OverBudget } from '../http/failure.ts'

/**
 * Supported content encodings. A body is decompressed as it arrives, and dropped when it grows too
 * large.
 */
const unpackers: Readonly<Record<string, () => Duplex>> = {
  br: () => createBrotliDecompress(),
  deflate: () => createInflate(),
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
}
export const encodings = 'gzip, br, deflate'

/**
 * Makes the stream that decompresses a body with this `content-encoding`; undefined if it is not
 * compressed.
 */
export function getUnpacker(encoding = 'identity'): (() => Duplex) | 'unknown' | undefined {
  const name = encoding.trim().toLowerCase()
  if (name === 'identity') return undefined
  return (Object.hasOwn(unpackers, name) && unpackers[name]) || 'unknown'
}

type Limits = {
  readonly maxBytes: number
  readonly signal: AbortSignal
  readonly fail: (reason: string) => Error
  /** Accounts for the memory of the body, compressed and decompressed. */
  readonly reservation: MemoryReservation
}

/**
 * The decompressed body, at most `maxBytes` both compressed and decompressed. Throws the result of
 * `fail`, and OverBudget.
 */
export async function readBody(response: IncomingMessage, limits: Limits): Promise<Buffer> {
  const { maxBytes, signal, fail, reservation } = limits
  const tooLarge = () => fail(`it is larger than ${maxBytes} bytes`)
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
  const unpack = getUnpacker(response.headers['content-encoding'])
  if (unpack === 'unknown') throw fail('its encoding is not supported')
  const chunks: Buffer[] = []
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of limitBytes(source)) chunks.push(chunk)
  }
  async function* limitBytes(source: AsyncIterable<Buffer>) {
    let bytes = 0
    for await (const chunk of source) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw tooLarge()
      if (!reservation.add(chunk.byteLength)) throw new OverBudget()
      yield chunk
    }
  }
  if (unpack === undefined) await pipeline(response, collect, { signal })
  else await pipeline(response, limitBytes, unpack(), collect, { signal })
  return Buffer.concat(chunks)
}
