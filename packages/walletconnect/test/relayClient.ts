import { afterEach, beforeEach, vi } from 'vitest'
import { WebSocket as NodeSocket } from 'ws'
import type { RelayStatus } from '../src/client.ts'
import { generateIdentity } from '../src/crypto/crypto.ts'
import { createRelay } from '../src/relay/createRelay.ts'
import type { RelayMessage, RelayParameters } from '../src/relay/relay.ts'
import { startScriptedRelay } from './scriptedRelay.ts'

/** A topic of one digit. */
export const getTopic = (digit: string) => digit.repeat(64)
/** The topic of most tests. */
export const topic = getTopic('a')
/** A message to publish. */
export const sent = { topic, message: 'envelope', tag: 1108, ttl: 300, prompt: true }
/** Milliseconds at which tests begin. */
export const startMs = 1_700_000_000_000
/** Of every client here. */
export const identity = await generateIdentity()
/** What a test opened; the last is closed first. */
export const ends: (() => unknown)[] = []

/** Before and after each test: timers that a test moves, and nothing left open. */
export function useRelayClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    })
  })

  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
    vi.useRealTimers()
  })
}

/**
 * Waits, on real time, for what sockets do: two minutes at most, as a busy machine stalls for
 * seconds.
 */
export async function until(isSo: () => boolean): Promise<void> {
  const deadline = process.hrtime.bigint() + 120_000_000_000n
  while (!isSo()) {
    if (process.hrtime.bigint() > deadline) throw new Error(`not so: ${isSo}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/**
 * Time for what should not happen, and turns of the event loop for what has arrived, also when the
 * machine stalls.
 */
export async function aWhile(): Promise<void> {
  const end = process.hrtime.bigint() + 60_000_000n
  let turns = 0
  await until(() => ++turns > 200 && process.hrtime.bigint() > end)
}

/** A client of the relay at `url`, and what it has said. */
export function connectTo(url: string, parameters: Partial<RelayParameters> = {}) {
  const messages: RelayMessage[] = []
  const statuses: RelayStatus[] = []
  const relay = createRelay({
    url,
    identity,
    now: () => startMs,
    WebSocket: NodeSocket as unknown as typeof WebSocket,
    onMessage: async (message) => void messages.push(message),
    ...parameters,
  })
  relay.onStatus((status) => statuses.push(status))
  ends.push(() => relay.close())
  return { relay, messages, statuses }
}

/** A relay and one client of it. */
export async function setUp(parameters: Partial<RelayParameters> = {}) {
  const server = await startScriptedRelay()
  ends.push(server.stop)
  return { server, ...connectTo(server.url, parameters) }
}

/** The code a promise rejects with, else `resolved`. */
export const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'resolved',
    (error: { code?: string }) => error.code ?? String(error),
  )
