import { LatchkeyError } from '@latchkey/wire'
import type { PreparedRequest, WalletRequest } from '../requests/walletRequest.ts'
import { currentChain, readState } from '../state.ts'
import { needsCapability, parseBatch } from './batchCalls.ts'
import { prepareAtomicBatch } from './prepareAtomicBatch.ts'
import { prepareOneByOne } from './prepareOneByOne.ts'
import { batchKey } from './readBatch.ts'

/**
 * wallet_sendCalls (EIP-5792) of a page, or of an app whose session's request has this id. If
 * enabled in its settings, the wallet makes all calls in one transaction. Otherwise it sends an
 * app's calls one after another, and refuses a page's calls. Throws INVALID_PARAMS,
 * CAPABILITY_UNSUPPORTED, BATCH_CHAIN_UNSUPPORTED, BATCH_ID_TAKEN, UNSUPPORTED_METHOD,
 * ATOMICITY_UNSUPPORTED, UNAUTHORIZED, RPC_FAILED.
 */
export async function prepareBatch(
  ask: WalletRequest,
  requestId?: number,
): Promise<PreparedRequest | { result: unknown }> {
  const { origin, call, config, state } = ask
  const isApp = requestId !== undefined
  if (!isApp && !state.sendsAtomically)
    throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method: call.method } })
  const batch = parseBatch(call)
  if (needsCapability(batch))
    throw new LatchkeyError('CAPABILITY_UNSUPPORTED', { data: { reason: 'any' } })
  if (Number(batch.chainId) !== currentChain(config, state).chainId)
    throw new LatchkeyError('BATCH_CHAIN_UNSUPPORTED')
  const id = batch.id ?? (isApp ? `latchkey-${requestId}` : crypto.randomUUID())
  const key = batchKey(origin, id)
  const savedBatch = readState().batches[key]
  // A window that was closed while sending has not responded: its transactions must not be sent
  // again.
  if (isApp && savedBatch?.requestId === requestId) return { result: { id } }
  if (savedBatch) throw new LatchkeyError('BATCH_ID_TAKEN')
  const work = { batch, id, key, requestId: requestId ?? 0 }
  if (state.sendsAtomically) return prepareAtomicBatch(ask, work)
  if (batch.atomicRequired) throw new LatchkeyError('ATOMICITY_UNSUPPORTED')
  return prepareOneByOne(ask, work)
}
