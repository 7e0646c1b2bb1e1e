import type { ChainId } from '@latchkey/wire'
import { parseBoundedJson } from '@latchkey/wire'
import * as z from 'zod'
import { addressPattern, nativeAddress } from '../evm/address.ts'
import { getChainReference } from '../evm/chain.ts'
import type { Hex } from '../evm/hex.ts'
import { HttpFailure } from '../http/failure.ts'
import type { Services } from '../services.ts'
import {
  getMinimum,
  noLiquidity,
  refuseTrade,
  type SwapSource,
  sourceUnavailable,
  type Trade,
} from './swapSource.ts'

const timeoutMs = 8_000
const maxBytes = 1024 * 1024
const spenderMs = 3_600_000

const amount = z.string().regex(/^\d{1,78}$/)
const address = z.string().regex(addressPattern)
const quoteAnswer = z.object({ dstAmount: amount, gas: z.number().int().min(0).optional() })
const swapAnswer = z.object({
  dstAmount: amount,
  tx: z.object({
    to: address,
    data: z.string().regex(/^0x([0-9a-fA-F]{2})+$/),
    value: amount,
    gas: z.number().int().min(0).optional(),
  }),
})
const spenderAnswer = z.object({ address })
const errorAnswer = z.object({ description: z.string().max(300) })

type OneInchSourceDeps = Pick<Services, 'config' | 'log' | 'clock'>

/**
 * An aggregator that speaks 1inch's Classic Swap API 6.1
 * (https://business.1inch.com/portal/documentation/apis/swap/classic-swap).
 */
export function createOneInchSource(deps: OneInchSourceDeps): SwapSource {
  const spenders = new Map<ChainId, { readonly spender: Hex; readonly untilMs: number }>()
  const spender = async (chainId: ChainId): Promise<Hex> => {
    const known = spenders.get(chainId)
    if (known && known.untilMs > deps.clock()) return known.spender
    const answer = await ask(deps, { chainId, path: 'approve/spender', schema: spenderAnswer })
    const found = answer.address.toLowerCase() as Hex
    spenders.set(chainId, { spender: found, untilMs: deps.clock() + spenderMs })
    return found
  }
  return {
    spender,
    async quote(trade) {
      const query = { ...toQuery(trade), includeGas: 'true' }
      const { chainId } = trade
      return toQuote(await ask(deps, { chainId, path: 'quote', query, schema: quoteAnswer }))
    },
    async build(order) {
      const router = await spender(order.chainId)
      const query = {
        ...toQuery(order),
        from: order.user,
        origin: order.user,
        slippage: String(Number(order.slippageBps) / 100),
        disableEstimate: 'true',
        ...(order.permit !== undefined && { permit: order.permit }),
      }
      const { chainId } = order
      const answer = await ask(deps, { chainId, path: 'swap', query, schema: swapAnswer })
      const { tx } = answer
      const value = order.from === nativeAddress ? order.amount : 0n
      // Any other transaction would not go to the router that the user approves, or would send
      // another value than requested.
      if (tx.to.toLowerCase() !== router || BigInt(tx.value) !== value) {
        deps.log.warn({ chain: chainId }, 'the swap aggregator returned another transaction')
        throw new HttpFailure(sourceUnavailable)
      }
      const quote = toQuote({ dstAmount: answer.dstAmount, gas: tx.gas })
      const minimum = getMinimum(quote.toAmount, order.slippageBps)
      const gas = quote.gas ?? unknownGas
      return { to: router, data: tx.data as Hex, value, gas, quote, minimum }
    },
  }
}

/** Used if the aggregator does not estimate gas. */
const unknownGas = 1_000_000n

const toQuote = ({ dstAmount, gas }: z.infer<typeof quoteAnswer>) => ({
  toAmount: BigInt(dstAmount),
  gas: gas ? (BigInt(gas) * 11n + 9n) / 10n : undefined,
  paths: [],
})

const toQuery = ({ from, to, amount }: Trade) => ({ src: from, dst: to, amount: String(amount) })

type OneInchParameters<Schema extends z.ZodType> = {
  readonly chainId: ChainId
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly schema: Schema
}

async function ask<Schema extends z.ZodType>(
  { config, log }: OneInchSourceDeps,
  { chainId, path, query = {}, schema }: OneInchParameters<Schema>,
): Promise<z.infer<Schema>> {
  const { url, key = '' } = config.swapApi
  const search = new URLSearchParams(query)
  let failure = new HttpFailure(sourceUnavailable)
  try {
    const response = await fetch(
      `${url}/swap/v6.1/${getChainReference(chainId)}/${path}?${search}`,
      {
        headers: { accept: 'application/json', authorization: `Bearer ${key}` },
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      },
    )
    const body: unknown = parseBoundedJson(await readText(response))
    if (response.ok) return schema.parse(body)
    if (response.status === 400) failure = toRefusal(body)
    else
      log.warn({ chain: chainId, status: response.status }, 'the swap aggregator does not respond')
  } catch (error) {
    // The message may contain the aggregator's response, which may contain the key.
    const reason = error instanceof Error ? error.name : 'unknown'
    log.warn({ chain: chainId, reason }, 'the swap aggregator does not respond')
  }
  throw failure
}

function toRefusal(body: unknown): HttpFailure {
  const description = errorAnswer.safeParse(body).data?.description ?? ''
  return /insufficient liquidity/i.test(description) || description === ''
    ? noLiquidity()
    : refuseTrade(description)
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new Error('The response is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
