import type { CDPSession } from 'playwright-core'

/** The contents of a heap: every string, and every list of bytes as hex. */
export type Heap = { readonly texts: string; readonly bytes: readonly string[] }

/**
 * Reads the JavaScript heap of a main thread after a collection: strings from a snapshot, and the
 * lists themselves. The browser gives out the content of no big integer and no binary array.
 */
export async function readHeap(session: CDPSession): Promise<Heap> {
  const strings = await takeSnapshot(session)
  const lists = await readLists(session)
  const words = lists.filter((list) => typeof list[0] === 'string')
  const numbers = lists.filter((list) => typeof list[0] === 'number')
  return {
    // Words are in lists before they are drawn separately.
    texts: [...strings, ...words.map((list) => list.join(' '))].join('\n'),
    bytes: numbers.map((list) => Buffer.from(list as number[]).toString('hex')),
  }
}

/** In which of the usual ways bytes are in a heap; none if they are not. */
export function findBytes({ texts, bytes }: Heap, secret: Uint8Array): string[] {
  const hex = Buffer.from(secret).toString('hex')
  const ways: [string, boolean][] = [
    ['bytes', bytes.some((one) => one.includes(hex))],
    ['hex', texts.toLowerCase().includes(hex)],
    ['numbers', texts.includes(secret.join(','))],
    ['decimal', texts.includes(BigInt(`0x${hex}`).toString())],
    ['base64', inBase64(secret).some((text) => texts.includes(text))],
  ]
  return ways.flatMap(([way, found]) => (found ? [way] : []))
}

/**
 * As it reads in base64 and base64url of a longer text, after 0, 1 or 2 other bytes, without the
 * digits that it shares.
 */
const inBase64 = (secret: Uint8Array): string[] =>
  (['base64', 'base64url'] as const).flatMap((encoding) =>
    [0, 1, 2].map((before) => {
      const text = Buffer.concat([Buffer.alloc(before), secret]).toString(encoding)
      const digits = Math.floor(((before + secret.length) * 8) / 6)
      return text.slice(Math.ceil((before * 8) / 6), digits)
    }),
  )

async function takeSnapshot(session: CDPSession): Promise<string[]> {
  const chunks: string[] = []
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  await session.send('HeapProfiler.enable')
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  return (JSON.parse(chunks.join('')) as { strings: string[] }).strings
}

/** All lists of at least a dozen bytes or words. */
async function readLists(session: CDPSession): Promise<(number | string)[][]> {
  const prototype = await session.send('Runtime.evaluate', { expression: 'Array.prototype' })
  const { objects } = await session.send('Runtime.queryObjects', {
    prototypeObjectId: prototype.result.objectId ?? '',
  })
  const { result } = await session.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration: `function () {
      const isByte = (item) => Number.isInteger(item) && item >= 0 && item < 256
      const isWord = (item) => typeof item === 'string'
      return Array.from(this).filter((list) =>
        Array.isArray(list) && list.length >= 12 && (list.every(isByte) || list.every(isWord)))
    }`,
    returnByValue: true,
  })
  return result.value as (number | string)[][]
}
