import { afterEach, beforeEach, vi } from 'vitest'
import { WebSocket as NodeSocket } from 'ws'
import type { RelayStatus } from '../src/client.ts'
import { generateIdentity } from '../src/crypto/crypto.ts'
import { createRelayClient } from '../src/relay/createRelayClient.ts'
import type { RelayClientParameters, RelayMessage } from '../src/relay/relayClient.ts'
import { startScriptedRelay } from './scriptedRelay.ts'

/** A topic of one digit. */
export const getTopic = (digit: string) => digit.repeat(64)
/** The topic of most tests. */
export const topic = getTopic('a')
/** A message to publish. */
export const sent = { topic, message: 'envelope', tag: 1108, ttl: 300, prompt: true }
/** Milliseconds at which tests begin. */
export const startMs = 1_700_000_000_000
/** The identity of every client here. */
export const identity = await generateIdentity()
/** Cleanup functions of a test; the last one runs first. */
export const ends: (() => unknown)[] = []

/** Before each test, installs fake timers; after it, closes what it opened. */
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
 * Waits in real time until `isSo` returns true, for two minutes at most, because a busy machine
 * stalls for seconds.
 */
export async function until(isSo: () => boolean): Promise<void> {
  const deadline = process.hrtime.bigint() + 120_000_000_000n
  while (!isSo()) {
    if (process.hrtime.bigint() > deadline) throw new Error(`not so: ${isSo}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/**
 * Waits long enough for something that should not happen, with turns of the event loop for what has
 * arrived, also if the machine stalls.
 */
export async function aWhile(): Promise<void> {
  const end = process.hrtime.bigint() + 60_000_000n
  let turns = 0
  await until(() => ++turns > 200 && process.hrtime.bigint() > end)
}

/** A client of the relay at `url`, with the messages and statuses it reported. */
export function connectTo(url: string, parameters: Partial<RelayClientParameters> = {}) {
  const messages: RelayMessage[] = []
  const statuses: RelayStatus[] = []
  const relay = createRelayClient({
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
export async function setUp(parameters: Partial<RelayClientParameters> = {}) {
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
