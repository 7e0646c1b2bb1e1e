import type { MemoryReservation } from '../http/createResponseMemory.ts'
import type { EsploraNodes } from './requestEsplora.ts'
import { type EsploraResult, getTransaction, hashHex, postTransaction } from './requests.ts'

/**
 * Submits a transaction in hex to the network and returns its id. Submitting twice changes nothing,
 * so if one node fails, another node is tried. If a node refuses a transaction because it is known
 * or already mined, it counts as sent.
 */
export async function broadcast(
  { upstreams, chainId }: EsploraNodes,
  hex: string,
  reservation: MemoryReservation | undefined,
) {
  const txid = hashHex(hex)
  if (txid === undefined) return { answer: undecodable }
  const sent = await upstreams.send(chainId, postTransaction(hex, txid), reservation)
  if ('fault' in sent || sent.answer.refusal === undefined) return sent
  const known = await upstreams.send(chainId, getTransaction(txid))
  const isKnown = 'answer' in known && known.answer.refusal === undefined
  return isKnown ? { answer: { text: txid, value: txid } } : sent
}

/** The wording that nodes use. */
const undecodable: EsploraResult<string> = {
  refusal: 400,
  text: 'sendrawtransaction RPC error: {"code":-22,"message":"TX decode failed"}',
}
