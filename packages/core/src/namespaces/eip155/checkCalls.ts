import { LatchkeyError } from '@latchkey/wire'

/**
 * Checks the calls of a `wallet_sendCalls` request, for every wallet (specification §5). Throws
 * INVALID_PARAMS.
 */
export function checkCalls(params: unknown): void {
  const [request] = Array.isArray(params) ? (params as unknown[]) : []
  const calls = (request as { calls?: unknown } | null | undefined)?.calls
  if (!Array.isArray(calls) || calls.length === 0) throw invalid('there are no calls')
  for (const [index, call] of (calls as unknown[]).entries()) {
    const { to, data, value } = (call ?? {}) as Record<string, unknown>
    const isHex = (text: unknown) => typeof text === 'string' && text.startsWith('0x')
    if (to != null && !isHex(to)) throw invalid(`call ${index}: to must begin with 0x`)
    if (data != null && data !== '' && !isHex(data))
      throw invalid(`call ${index}: data must begin with 0x`)
    if (value != null && typeof value !== 'string')
      throw invalid(`call ${index}: value must be a string`)
    if (to == null && !data) throw invalid(`call ${index}: to is missing`)
  }
}

const invalid = (reason: string) => new LatchkeyError('INVALID_PARAMS', { data: { reason } })
