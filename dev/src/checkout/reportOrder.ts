import { setTimeout } from 'node:timers/promises'
import { signMessage } from './sign.ts'

/** The checkout's report to the server about an order. */
export type OrderReport = {
  readonly orderId: string
  readonly status: 'declined' | 'paid' | 'sent' | 'failed'
  readonly reason?: 'card' | 'authentication' | 'cancelled'
  readonly transactionHash?: string
}

/** The pause before each further attempt, for a server that is starting. */
const waitsMs = [0, 500, 1_000, 2_000, 4_000, 8_000]

/**
 * Calls the server's webhook until it accepts the report. Throws if the server refuses it or stays
 * unreachable, and when `signal` aborts.
 */
export async function reportOrder(parameters: {
  webhookUrl: string
  secret: Uint8Array
  report: OrderReport
  signal: AbortSignal
}): Promise<void> {
  const { webhookUrl, secret, report, signal } = parameters
  const timestamp = new Date().toISOString()
  const body = JSON.stringify({ type: 'order.updated', timestamp, data: report })
  for (const waitMs of waitsMs) {
    await setTimeout(waitMs, undefined, { signal })
    const headers = { 'content-type': 'application/json', ...signMessage(secret, body) }
    const answer = await fetch(webhookUrl, { method: 'POST', headers, body, signal }).catch(() => {
      signal.throwIfAborted()
    })
    if (answer?.ok) return
    if (answer && answer.status < 500) throw new Error(`The server answers ${answer.status}`)
  }
  throw new Error(`The server did not take the report of an order: ${report.status}`)
}
