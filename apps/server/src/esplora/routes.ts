import type { HttpBindings } from '@hono/node-server'
import type { ChainId } from '@latchkey/wire'
import { type Context, Hono } from 'hono'
import { invalidAccountAddress } from '../accountAddress.ts'
import { getScript, isBitcoinChain, parseAnyBitcoinAddress } from '../bitcoin/chain.ts'
import { badRequest, busy, type Failure, HttpFailure } from '../http/failure.ts'
import { requireChain } from '../http/findChain.ts'
import { failOpenKv } from '../kv/failOpenKv.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import type { EsploraTransaction } from './answers.ts'
import { broadcast } from './broadcast.ts'
import {
  type EsploraRequest,
  type EsploraResult,
  getAddress,
  getBlockHash,
  getCoins,
  getFeeEstimates,
  getTipHeight,
  getTransaction,
  getTransactionHex,
  getTransactionStatus,
  getTransactions,
} from './requests.ts'

type EsploraRoutesDeps = Pick<Services, 'config' | 'kv' | 'log' | 'clock'>
type Env = { Bindings: Partial<HttpBindings> }
type RouteContext = Context<Env>

const base = '/v1/esplora/:chainId'
/** The largest standard transaction in hex. */
const maxHexLength = 800_000
/**
 * The longest response in the cache: clients choose the keys, and Redis has no limit per client.
 */
const maxCachedLength = 4_096

const tipSeconds = 3
const feeSeconds = 10
const finalSeconds = 600
/** About twelve blocks: older blocks no longer change. */
const finalMs = 2 * 3_600_000

/**
 * Esplora's API for a Bitcoin chain: `/v1/esplora/{chainId}/…?projectId=…`. Requests on the list
 * are forwarded to the chain's upstreams, and valid responses are returned. If an upstream refuses
 * a request, the response is 400 or 404 with its message as plain text; our own failures are JSON,
 * as in the rest of the API.
 */
export function esploraRoutes(services: EsploraRoutesDeps, upstreams: Upstreams): Hono<Env> {
  const kv = failOpenKv(services.kv, services.log)

  /** `getSeconds`: how long a response is the same for every client. */
  const pass = async <Value>(
    c: RouteContext,
    create: (chainId: ChainId) => EsploraRequest<Value>,
    getSeconds: (value: Value) => number = () => 0,
  ): Promise<Response> => {
    const chainId = findBitcoinChain(services, c)
    const request = create(chainId)
    const key = `esplora:${chainId}:${request.path}`
    const known = await kv.get(key)
    if (known !== undefined) return toResponse(c, { text: known, value: undefined })
    const sent = await upstreams.send(chainId, request, c.get('reservation'))
    if ('fault' in sent) throw new HttpFailure(toUnavailable(chainId, sent))
    const { answer } = sent
    const seconds = answer.refusal === undefined ? getSeconds(answer.value) : 0
    if (seconds > 0 && answer.text.length <= maxCachedLength)
      await kv.set(key, answer.text, seconds)
    return toResponse(c, answer)
  }
  const passTransaction = <Value>(
    c: RouteContext,
    create: (txid: string) => EsploraRequest<Value>,
    getSeconds: (value: Value) => number,
  ) => pass(c, () => create(requireTxid(c.req.param('txid'))), getSeconds)
  const passTransactions = (c: RouteContext, part: Parameters<typeof getTransactions>[0]['part']) =>
    pass(c, (chainId) =>
      withAddress(c, chainId, (address) => getTransactions({ chainId, address, part })),
    )
  const getStatusSeconds = (status: EsploraTransaction['status']) =>
    status.confirmed && services.clock() - status.block_time * 1000 > finalMs ? finalSeconds : 0

  return new Hono<Env>()
    .get(`${base}/address/:address`, (c) =>
      pass(c, (chainId) => withAddress(c, chainId, (address) => getAddress({ chainId, address }))),
    )
    .get(`${base}/address/:address/utxo`, (c) =>
      pass(c, (chainId) => withAddress(c, chainId, (address) => getCoins({ chainId, address }))),
    )
    .get(`${base}/address/:address/txs`, (c) => {
      const after = c.req.query('after_txid')
      if (after === undefined) return passTransactions(c, 'all')
      return passTransactions(c, { after: requireTxid(after) })
    })
    .get(`${base}/address/:address/txs/mempool`, (c) => passTransactions(c, 'mempool'))
    .get(`${base}/address/:address/txs/chain`, (c) => passTransactions(c, { after: undefined }))
    .get(`${base}/address/:address/txs/chain/:after`, (c) =>
      passTransactions(c, { after: requireTxid(c.req.param('after')) }),
    )
    .get(`${base}/tx/:txid`, (c) =>
      passTransaction(c, getTransaction, ({ status }) => getStatusSeconds(status)),
    )
    .get(`${base}/tx/:txid/status`, (c) =>
      passTransaction(c, getTransactionStatus, getStatusSeconds),
    )
    .get(`${base}/tx/:txid/hex`, (c) => passTransaction(c, getTransactionHex, () => finalSeconds))
    .get(`${base}/fee-estimates`, (c) => pass(c, getFeeEstimates, () => feeSeconds))
    .get(`${base}/blocks/tip/height`, (c) => pass(c, getTipHeight, () => tipSeconds))
    .get(`${base}/block-height/:height`, (c) => {
      const height = c.req.param('height')
      return pass(
        c,
        () => {
          if (!/^\d{1,9}$/.test(height)) throw new HttpFailure(badHeight)
          return getBlockHash(String(Number(height)))
        },
        () => (Number(height) === 0 ? finalSeconds : tipSeconds),
      )
    })
    .post(`${base}/tx`, async (c) => {
      const chainId = findBitcoinChain(services, c)
      const hex = (await c.req.text()).trim()
      if (hex.length > maxHexLength) throw new HttpFailure(tooLong)
      const sent = await broadcast({ upstreams, chainId }, hex, c.get('reservation'))
      if ('fault' in sent) throw new HttpFailure(toUnavailable(chainId, sent))
      return toResponse(c, sent.answer)
    })
}

function findBitcoinChain({ config }: EsploraRoutesDeps, c: RouteContext): ChainId {
  const { chainId } = requireChain(config, c.req.param('chainId'))
  if (!isBitcoinChain(chainId)) throw new HttpFailure(notBitcoin)
  return chainId
}

function withAddress<Value>(
  c: RouteContext,
  chainId: ChainId,
  create: (address: string) => EsploraRequest<Value>,
): EsploraRequest<Value> {
  const address = parseAnyBitcoinAddress(c.req.param('address') ?? '')
  if (address === undefined || getScript(chainId, address) === undefined)
    throw new HttpFailure(invalidAccountAddress(chainId))
  return create(address)
}

function requireTxid(text = ''): string {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new HttpFailure(badTxid)
  return text.toLowerCase()
}

function toResponse(c: RouteContext, { text, refusal }: EsploraResult): Response {
  const isJson = refusal === undefined && /^\s*[[{]/.test(text)
  return c.body(text, refusal ?? 200, {
    'content-type': isJson ? 'application/json' : 'text/plain; charset=utf-8',
  })
}

function toUnavailable(
  chainId: ChainId,
  { fault, retryAfterSeconds }: { readonly fault: string; readonly retryAfterSeconds: number },
): Failure {
  if (fault === 'busy') return busy
  const description = `Requested ${chainId} chain provider is temporarily unavailable`
  return { status: 503, field: 'chainId', description, retryAfterSeconds }
}

const notBitcoin = badRequest('chainId', 'Only Bitcoin chains have an Esplora API')
const badTxid = badRequest('txid', 'A transaction id is expected: 64 hex digits')
const badHeight = badRequest('height', 'The height of a block is expected')
const tooLong: Failure = {
  status: 413,
  field: 'body',
  description: `A transaction of at most ${maxHexLength / 2} bytes is expected, in hex`,
}
