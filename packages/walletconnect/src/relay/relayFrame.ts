import { maxEnvelopeLength } from '../crypto/crypto.ts'
import { parseRpc, type RpcMessage } from '../jsonRpc.ts'
import type { RelayMessage } from './relayClient.ts'

// An envelope and what surrounds it.
const maxLength = maxEnvelopeLength + 65_536

/** Parses a frame of a relay; undefined if it is not valid. */
export function readRelayFrame(text: string): RpcMessage | undefined {
  if (text.length > maxLength) return undefined
  try {
    return parseRpc(text)
  } catch {
    return undefined
  }
}

/**
 * The message of a push, else undefined; `nowMs` replaces the time that older relays do not send.
 */
export function pushedMessage(
  { method, params }: { method: string; params: unknown },
  nowMs: number,
): RelayMessage | undefined {
  if (!/^(irn|iridium|waku)_subscription$/.test(method)) return undefined
  const data = (params as { data?: Record<string, unknown> | null } | null | undefined)?.data
  const { topic, message, publishedAt, tag } = data ?? {}
  if (typeof topic !== 'string' || typeof message !== 'string') return undefined
  return {
    topic,
    message,
    tag: typeof tag === 'number' ? tag : 0,
    publishedAtMs: typeof publishedAt === 'number' ? publishedAt : nowMs,
  }
}
