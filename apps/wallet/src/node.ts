import { LatchkeyError } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { Chain } from './config.ts'
import { type Call, outcome, type WalletResult } from './extension/protocol.ts'

const timeoutMs = 20_000

/** Sends a JSON-RPC request to a network's node. Never throws: errors are part of the outcome. */
export async function callNode(
  chain: Pick<Chain, 'name' | 'rpcUrl'>,
  { method, params }: Call,
): Promise<WalletResult> {
  try {
    const response = await fetch(chain.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: params ?? [] }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { error, result } = (await response.json()) as { error?: unknown; result?: unknown }
    return z.parse(outcome, error === undefined ? { result } : { error })
  } catch {
    return { error: { code: 4901, message: `The node of ${chain.name} does not answer` } }
  }
}

/** Sends a JSON-RPC request and returns the result. Throws RPC_FAILED. */
export async function requestNode(
  chain: Pick<Chain, 'name' | 'rpcUrl'>,
  method: string,
  params: unknown[],
) {
  const answer = await callNode(chain, { method, params })
  if ('error' in answer)
    throw new LatchkeyError('RPC_FAILED', { data: { reason: answer.error.message } })
  return answer.result
}

/** Like {@link requestNode}, for a result that is a string. */
export const readNode = async (chain: Chain, method: string, params: unknown[]): Promise<string> =>
  String(await requestNode(chain, method, params))
