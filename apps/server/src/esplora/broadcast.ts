import type { Lease } from '../http/createAnswerMemory.ts'
import type { EsploraNodes } from './requestEsplora.ts'
import { type EsploraAnswer, getTransaction, hashHex, postTransaction } from './requests.ts'

/**
 * Hands a transaction in hex to the network and answers its id. Doing that twice changes nothing,
 * so another node is asked where one fails; and a transaction that a node refuses because it is
 * known or mined already counts as sent.
 */
export async function broadcast(
  { upstreams, chainId }: EsploraNodes,
  hex: string,
  lease: Lease | undefined,
) {
  const txid = hashHex(hex)
  if (txid === undefined) return { answer: undecodable }
  const sent = await upstreams.send(chainId, postTransaction(hex, txid), lease)
  if ('fault' in sent || sent.answer.refusal === undefined) return sent
  const known = await upstreams.send(chainId, getTransaction(txid))
  const isKnown = 'answer' in known && known.answer.refusal === undefined
  return isKnown ? { answer: { text: txid, value: txid } } : sent
}

/** As a node says it. */
const undecodable: EsploraAnswer<string> = {
  refusal: 400,
  text: 'sendrawtransaction RPC error: {"code":-22,"message":"TX decode failed"}',
}
