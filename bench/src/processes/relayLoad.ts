import { randomBytes } from 'node:crypto'
import { openRawSocket, type RawSocket } from './rawSocket.ts'

/**
 * Result of a load run: messages sent in the measured time, messages received of these, and their
 * latencies in ms.
 */
export type LoadResult = {
  readonly sent: number
  readonly heard: number
  readonly p50: number
  readonly p99: number
}

export type LoadOptions = {
  /**
   * Publishers and subscribers alternate between the URLs: with several URLs, a pair never uses the
   * same one.
   */
  readonly urls: readonly string[]
  readonly pairs: number
  readonly perSecond: number
  readonly seconds: number
}

const warmUpMs = 1_000
const settleMs = 1_000
/** Approximate length of an encrypted and encoded session request. */
const messageLength = 600

/**
 * Sends messages as fast as the relay accepts them, with a fixed number in flight: measures their
 * cost, not their latency.
 */
export type FloodOptions = Pick<LoadOptions, 'urls' | 'pairs'> & {
  readonly count: number
  readonly underWay: number
}

process.on('message', async (options: LoadOptions | FloodOptions) =>
  process.send?.('count' in options ? await flood(options) : await load(options)),
)
process.once('disconnect', () => process.exit(0))
process.send?.('ready')

/**
 * Sends at a constant rate regardless of responses. Latencies count from the time when a message
 * was due.
 */
async function load({ urls, pairs, perSecond, seconds }: LoadOptions): Promise<LoadResult> {
  const times: number[] = []
  const measured = { fromMs: Number.POSITIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }
  const onPush = (dueMs: number) => {
    if (dueMs >= measured.fromMs && dueMs < measured.toMs) times.push(performance.now() - dueMs)
  }
  const sides = await openPairs({ urls, pairs }, onPush)
  const startMs = performance.now()
  measured.fromMs = startMs + warmUpMs
  measured.toMs = measured.fromMs + seconds * 1000
  let number = 0
  let sent = 0
  while (performance.now() < measured.toMs) {
    for (const nowMs = performance.now(); ; number++) {
      const dueMs = startMs + (number * 1000) / perSecond
      if (dueMs > nowMs) break
      sides[number % pairs]?.publish(number, dueMs)
      if (dueMs >= measured.fromMs && dueMs < measured.toMs) sent++
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await new Promise((resolve) => setTimeout(resolve, settleMs))
  for (const side of sides) side.end()
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.floor(times.length * part)] ?? Number.NaN
  return { sent, heard: times.length, p50: at(0.5), p99: at(0.99) }
}

async function flood({ count, underWay, ...of }: FloodOptions): Promise<object> {
  let heard = 0
  const sides = await openPairs(of, () => heard++)
  for (let sent = 0; heard < count; ) {
    for (; sent < count && sent - heard < underWay; sent++)
      sides[sent % sides.length]?.publish(sent, performance.now())
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (const side of sides) side.end()
  return {}
}

const openPairs = (
  { urls, pairs }: Pick<LoadOptions, 'urls' | 'pairs'>,
  onPush: (dueMs: number) => void,
) =>
  Promise.all(
    Array.from({ length: pairs }, (_, at) =>
      openPair(urls[at % urls.length] ?? '', urls[(at + 1) % urls.length] ?? '', onPush),
    ),
  )

async function openPair(url: string, subscriberUrl: string, onPush: (dueMs: number) => void) {
  const topic = randomBytes(32).toString('hex')
  const padding = randomBytes(messageLength / 2).toString('hex')
  const publisher = await openRawSocket(url, () => {})
  let subscribed: (() => void) | undefined
  const ready = new Promise<void>((resolve) => {
    subscribed = resolve
  })
  const subscriber: RawSocket = await openRawSocket(subscriberUrl, (text) => {
    const at = text.indexOf('"message":"')
    if (at === -1) return subscribed?.()
    subscriber.send([`${text.slice(0, text.indexOf(','))},"jsonrpc":"2.0","result":true}`])
    onPush(Number(text.slice(at + 11, text.indexOf(' ', at))))
  })
  const frame = (id: number, method: string, params: string) =>
    `{"id":${1e9 + id},"jsonrpc":"2.0","method":"irn_${method}","params":{"topic":"${topic}"${params}}}`
  subscriber.send([frame(0, 'subscribe', '')])
  await ready
  return {
    publish(number: number, dueMs: number): void {
      const message = `${dueMs} ${number} ${padding}`.slice(0, messageLength)
      publisher.send([
        frame(number, 'publish', `,"message":"${message}","ttl":300,"prompt":true,"tag":1108`),
      ])
    },
    end(): void {
      publisher.end()
      subscriber.end()
    },
  }
}
