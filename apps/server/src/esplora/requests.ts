import type { ChainId } from '@latchkey/wire'
import { getTransactionId } from '@latchkey/wire/bitcoin'
import type * as z from 'zod'
import { getScript } from '../bitcoin/chain.ts'
import type { NodeRequest } from '../nodes/requestUpstream.ts'
import {
  addressStats,
  coins,
  feeEstimates,
  hash,
  status,
  transaction,
  transactionsOf,
} from './answers.ts'
import { createTransactionFolder } from './foldTransactions.ts'

/** An Esplora response: the raw body with its parsed value, or a refusal. */
export type EsploraResult<Value = unknown> =
  | { readonly text: string; readonly value: Value; readonly refusal?: never }
  | { readonly text: string; readonly refusal: 400 | 404 }

/**
 * A request of Esplora's API (https://github.com/Blockstream/esplora/blob/master/API.md) whose
 * response is checked against it.
 */
export type EsploraRequest<Value> = NodeRequest<EsploraResult<Value>>

type ChainAddress = { readonly chainId: ChainId; readonly address: string }

export const getAddress = ({ address }: ChainAddress) =>
  getJson(
    `/address/${address}`,
    addressStats.refine((stats) => stats.address === address),
  )

export const getCoins = ({ address }: ChainAddress) => getJson(`/address/${address}/utxo`, coins)

/**
 * The transactions of an address, the newest first. `all`: pending and up to 25 confirmed
 * transactions. `mempool`: only pending transactions. `after`: 25 confirmed transactions older than
 * that id.
 */
export const getTransactions = ({
  chainId,
  address,
  part,
}: ChainAddress & {
  readonly part: 'all' | 'mempool' | { readonly after: string | undefined }
}) => {
  const schema = transactionsOf(getScript(chainId, address) ?? '')
  const base = `/address/${address}/txs`
  if (part === 'all') return getJson(base, schema)
  if (part === 'mempool') return getJson(`${base}/mempool`, schema)
  return getJson(`${base}/chain${part.after === undefined ? '' : `/${part.after}`}`, schema)
}

export const getTransaction = (txid: string) =>
  getJson(
    `/tx/${txid}`,
    transaction.refine((one) => one.txid === txid),
  )

export const getTransactionStatus = (txid: string) => getJson(`/tx/${txid}/status`, status)

export const getTransactionHex = (txid: string) =>
  get(`/tx/${txid}/hex`, (text) => (hashHex(text.trim()) === txid ? text.trim() : undefined))

export const getFeeEstimates = () => getJson('/fee-estimates', feeEstimates)

export const getTipHeight = () =>
  get('/blocks/tip/height', (text) => (/^\d{1,9}$/.test(text.trim()) ? text.trim() : undefined))

export const getBlockHash = (height: string) =>
  get(`/block-height/${height}`, (text) => hash.safeParse(text.trim()).data)

/** The id of a transaction in hex; undefined for any other string. */
export const hashHex = (hex: string): string | undefined =>
  /^(?:[0-9a-f]{2})+$/i.test(hex) ? getTransactionId(Buffer.from(hex, 'hex')) : undefined

/**
 * Submits a transaction to a node, which must return its id. A refusal is final: no other node is
 * tried.
 */
export const postTransaction = (hex: string, txid: string): EsploraRequest<string> => ({
  ...get('/tx', (text) => (text.trim() === txid ? txid : undefined)),
  method: 'POST',
  body: hex,
  isInconclusive: () => false,
})

const maxRefusal = 1_000

/**
 * Like {@link getTransactions}, but without the parts that an account does not need, so that
 * transactions may have any size.
 */
export const getFoldedTransactions = (place: Parameters<typeof getTransactions>[0]) => ({
  ...getTransactions(place),
  trim: () => createTransactionFolder(getScript(place.chainId, place.address) ?? ''),
})

/** A node's refusal is not final, because the node may be behind the others. */
const get = <Value>(
  path: string,
  parse: (text: string) => Value | undefined,
): EsploraRequest<Value> => ({
  method: 'GET',
  path,
  contentType: 'text/plain',
  statuses: [400, 404],
  read(text, httpStatus) {
    if (httpStatus === 400 || httpStatus === 404) {
      const isPage = /^\s*</.test(text) || text.length > maxRefusal
      return isPage ? 'status' : { text: text.trim(), refusal: httpStatus }
    }
    const value = parse(text)
    return value === undefined ? 'badAnswer' : { text, value }
  },
  isInconclusive: (answer) => answer.refusal !== undefined,
})

function getJson<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): EsploraRequest<z.output<Schema>> {
  const request = get(path, (text) => schema.safeParse(JSON.parse(text)).data)
  return {
    ...request,
    read(text, httpStatus) {
      try {
        return request.read(text, httpStatus)
      } catch {
        return 'notJson'
      }
    },
  }
}
