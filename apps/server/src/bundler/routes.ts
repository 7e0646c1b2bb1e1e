import type { HttpBindings } from '@hono/node-server'
import { errors, isError, LatchkeyError, rpcCodes } from '@latchkey/wire'
import { type Context, Hono } from 'hono'
import * as z from 'zod'
import { clientAddress, isLoopback } from '../http/clientAddress.ts'
import { commonBytes, type MemoryReservation } from '../http/createResponseMemory.ts'
import { badRequest, HttpFailure, networkUnavailable } from '../http/failure.ts'
import { requireChain } from '../http/findChain.ts'
import { getClientOrigin, payTurns } from '../http/limitRate.ts'
import { holdMore } from '../http/limitResponseMemory.ts'
import { readJson } from '../http/request/readJson.ts'
import type { Services } from '../services.ts'
import { bundlerCodes } from './bundlerError.ts'
import { type Bundlers, paymasterMethods } from './createBundlers.ts'
import { isDebugMethod } from './debugBundler.ts'

type Env = { Bindings: Partial<HttpBindings> }

/**
 * The cost of a call in the client's rate limit. These calls run code on a node, write to the
 * database or promise money.
 */
const costs: Readonly<Record<string, number>> = {
  eth_sendUserOperation: 10,
  eth_estimateUserOperationGas: 5,
  ...Object.fromEntries(paymasterMethods.map((method) => [method, 10])),
}

const methods: ReadonlySet<string> = new Set([
  ...paymasterMethods,
  'eth_chainId',
  'eth_estimateUserOperationGas',
  'eth_getUserOperationByHash',
  'eth_getUserOperationReceipt',
  'eth_sendUserOperation',
  'eth_supportedEntryPoints',
  'pimlico_getUserOperationGasPrice',
  'pimlico_getUserOperationStatus',
])

const id = z.union([z.string().max(100), z.int(), z.null()])
const call = z.object({
  jsonrpc: z.literal('2.0'),
  id,
  method: z.string().max(100),
  params: z.array(z.unknown()).max(10).nullish(),
})
type Call = z.infer<typeof call>
/** A call, or the id of an entry that is not a valid call. */
type Entry = { readonly call: Call } | { readonly id: z.infer<typeof id> }
/** The most calls in one body. */
const maxBatch = 20
/** No further call of a batch runs if its responses have this size together. */
const maxBatchBytes = 4 * 1024 * 1024
/** Answers of this size fit into the memory that a request reserves at its beginning. */
const smallBytes = commonBytes / maxBatch

/**
 * `POST /v1/bundler?chainId&projectId`: JSON-RPC calls of ERC-7769, ERC-7677 or Pimlico's names.
 *
 * `ownBundler` checks a user operation (`operations/checkOperation`) and adds it to the mempool.
 * `bundles/runBundlerLoop` builds, prices and signs bundles, stores each bundle before sending it,
 * raises its fee if no block includes it, and settles the executed operations. A network with
 * another bundler uses `outsideBundler`.
 */
export const bundlerRoutes = (
  services: Pick<Services, 'config' | 'kv' | 'log'>,
  bundlers: Bundlers,
): Hono<Env> =>
  new Hono<Env>().post('/v1/bundler', (c) => {
    const named = c.req.query('bundler')
    if (named !== undefined && named !== 'pimlico')
      throw new HttpFailure(
        badRequest('bundler_name', 'Only the bundlers that this server configures can be used'),
      )
    return postBundler(services, { c, bundlers, chain: c.req.query('chainId') })
  })

/** Answers calls of the bundler, one or a batch, from a page or from the secure frame. */
export async function postBundler(
  services: Pick<Services, 'config' | 'kv' | 'log'>,
  {
    c,
    bundlers,
    chain,
  }: { readonly c: Context<Env>; readonly bundlers: Bundlers; readonly chain: string | undefined },
): Promise<Response> {
  const found = requireChain(services.config, chain)
  const read = await readJson(c)
  if ('failure' in read) return Response.json(toError(null, 'PARSE_ERROR'), { status: 400 })
  const body = read.json
  const entries = (Array.isArray(body) ? body : [body]).map(readEntry)
  if (entries.length === 0 || entries.length > maxBatch)
    return Response.json(toError(null, 'INVALID_REQUEST'), { status: 400 })
  const cost = entries.reduce((sum, one) => sum + getCost(one), 0)
  await payTurns(services, c, { route: '/v1/bundler', cost })
  const isAllowed = (method: string) =>
    methods.has(method) || (isDebugMethod(method) && mayDebug(services, c))
  const client = clientAddress(getClientOrigin(c), services.config.trustedProxies)
  const ask = async (method: string, params: readonly unknown[]) =>
    isAllowed(method)
      ? bundlers.request(found.chainId, method, params, client)
      : refuseMethod(method)
  if (Array.isArray(body)) return toResponse(await answerBatch(entries, ask, c.get('reservation')))
  const hold = (bytes: number) => holdMore(c, bytes)
  return answerAlone(entries[0], { ask, chainId: found.chainId, hold })
}

/**
 * Answers calls one after the other, so that only one large response is being made at a time.
 * `reservation` accounts for the responses.
 */
async function answerBatch(
  entries: readonly Entry[],
  ask: Ask,
  reservation: MemoryReservation | undefined,
): Promise<string> {
  const texts: string[] = []
  let bytes = 0
  let isFull = false
  for (const entry of entries) {
    const text = isFull ? '' : JSON.stringify(await answerOne(entry, ask))
    const size = Buffer.byteLength(text)
    if (size > smallBytes && reservation?.add(size) === false) isFull = true
    texts.push(isFull ? JSON.stringify(refuseLarge(entry)) : text)
    bytes += size
    if (bytes >= maxBatchBytes) isFull = true
  }
  return `[${texts.join(',')}]`
}

function refuseLarge(entry: Entry): object {
  const message =
    'The responses of this batch are too large together. Send the remaining calls in another batch'
  const { id: named } = 'call' in entry ? entry.call : entry
  return toReply(named, { error: { code: bundlerCodes.busy, message } })
}

const toResponse = (json: string): Response =>
  new Response(json, { headers: { 'content-type': 'application/json' } })

function readEntry(entry: unknown): Entry {
  const parsed = call.safeParse(entry)
  if (parsed.success) return { call: parsed.data }
  const named = z.object({ id }).safeParse(entry)
  return { id: named.data?.id ?? null }
}

const getCost = (entry: Entry): number => ('call' in entry ? (costs[entry.call.method] ?? 1) : 1)

type Ask = (method: string, params: readonly unknown[]) => Promise<object | undefined>

/**
 * Whether the request comes from a program on this machine: not from a page, and not through a
 * proxy.
 */
const mayDebug = ({ config }: Pick<Services, 'config'>, c: Context<Env>): boolean => {
  const { socketAddress = '', forwardedFor } = getClientOrigin(c)
  const isDirect = forwardedFor === undefined && c.req.header('origin') === undefined
  return config.bundlerDebug && isDirect && isLoopback(socketAddress)
}

function refuseMethod(method: string): object {
  const { message } = new LatchkeyError('METHOD_NOT_FOUND', { data: { method } })
  return { error: { code: rpcCodes.METHOD_NOT_FOUND, message } }
}

/** One call without a batch: errors of the server are also reported as HTTP status. */
async function answerAlone(
  entry: Entry | undefined,
  {
    ask,
    chainId,
    hold,
  }: {
    readonly ask: Ask
    readonly chainId: string
    /** Reserves memory for a response of this size. Throws OverBudget. */
    readonly hold: (bytes: number) => void
  },
): Promise<Response> {
  if (!entry || 'id' in entry)
    return Response.json(toError(entry?.id ?? null, 'INVALID_REQUEST'), { status: 400 })
  try {
    const reply = await answer(entry.call, ask)
    if (!reply) throw new HttpFailure(badRequest('chainId', `There is no bundler for ${chainId}`))
    const text = JSON.stringify(toReply(entry.call.id, reply))
    if (text.length > smallBytes) hold(Buffer.byteLength(text))
    return toResponse(text)
  } catch (error) {
    if (isError(error, 'RPC_UNAVAILABLE')) throw new HttpFailure(networkUnavailable)
    throw error
  }
}

async function answerOne(entry: Entry, ask: Ask): Promise<object> {
  if ('id' in entry) return toError(entry.id, 'INVALID_REQUEST')
  try {
    const none = { error: { code: rpcCodes.METHOD_NOT_FOUND, message: 'There is no bundler here' } }
    return toReply(entry.call.id, (await answer(entry.call, ask)) ?? none)
  } catch (error) {
    if (!isError(error, 'RPC_UNAVAILABLE')) throw error
    const message = networkUnavailable.description
    return toReply(entry.call.id, { error: { code: bundlerCodes.internal, message } })
  }
}

/** The result or the error of a call; undefined if the network has no bundler. */
async function answer({ method, params }: Call, ask: Ask): Promise<object | undefined> {
  if (method === 'web3_clientVersion') return { result: 'Latchkey' }
  return ask(method, params ?? [])
}

const toReply = (id: Call['id'], reply: object): object => ({ jsonrpc: '2.0', id, ...reply })

const toError = (id: Call['id'], code: 'PARSE_ERROR' | 'INVALID_REQUEST'): object =>
  toReply(id, { error: { code: rpcCodes[code], message: errors[code] } })
