import type { HttpBindings } from '@hono/node-server'
import { type ChainId, faucetRoute } from '@latchkey/wire'
import { Hono } from 'hono'
import { invalidAccountAddress, isInNamespace, parseAccountAddress } from '../accountAddress.ts'
import type { Config } from '../config.ts'
import { getErrorMessage } from '../getErrorMessage.ts'
import { clientAddress } from '../http/clientAddress.ts'
import { badRequest, type Failure, HttpFailure } from '../http/failure.ts'
import { findChain, unknownChain } from '../http/findChain.ts'
import { getClientOrigin, tooMany } from '../http/limitRate.ts'
import { parseBody } from '../http/request/parse.ts'
import type { Services } from '../services.ts'
import { faucetArea } from './faucetArea.ts'

type Dependencies = Pick<Services, 'config' | 'kv' | 'log'>

const faucetTimeoutMs = 10_000
/** The rate limit of an account: one payment a minute. */
const accountBucket = { capacity: 1, refillPerSecond: 1 / 60 }
/**
 * The rate limit of a client, across all accounts that it names: five payments at once and one a
 * minute.
 */
const clientBucket = { capacity: 5, refillPerSecond: 1 / 60 }

/** `POST /v1/faucet`, for the test networks with a faucet in the chains file. */
export function faucetRoutes(services: Dependencies): Hono<{ Bindings: Partial<HttpBindings> }> {
  const { config, kv } = services
  return new Hono<{ Bindings: Partial<HttpBindings> }>().post(faucetRoute.path, async (c) => {
    const body = await parseBody(c, faucetRoute.body)
    const payment = parsePayment(config, body.account)
    const client = clientAddress(getClientOrigin(c), config.trustedProxies)
    for (const [key, bucket] of [
      [`faucet:client:${client}`, clientBucket],
      [`faucet:account:${payment.chainId}:${payment.account}`, accountBucket],
    ] as const) {
      const { allowed, retryAfterSeconds } = await kv.take(key, bucket)
      if (!allowed)
        throw new HttpFailure(tooMany('Test money was sent a moment ago', retryAfterSeconds))
    }
    if (!(await askFaucet(services, payment))) throw new HttpFailure(faucetUnavailable)
    return c.json({ status: 'SUCCESS' })
  })
}

type Payment = {
  readonly chainId: ChainId
  /** As received: the faucet may require the checksum's capital letters. */
  readonly address: string
  /** In the form in which accounts are compared. */
  readonly account: string
  readonly url: string
}

function parsePayment(config: Pick<Config, 'chains'>, account: string): Payment {
  const refuse = (failure: Failure) => new HttpFailure({ ...failure, field: 'account' })
  const at = account.lastIndexOf(':')
  const named = account.slice(0, Math.max(at, 0))
  const chain = findChain(config, named)
  if (chain === undefined) throw refuse(unknownChain(named))
  const { chainId } = chain
  const address = account.slice(at + 1)
  const parsed = parseAccountAddress(address)
  if (parsed === undefined || !isInNamespace(chainId, parsed))
    throw refuse(invalidAccountAddress(chainId))
  const { on, source } = faucetArea(config, chainId)
  const url = config.chains[chainId]?.faucet?.url
  if (!on || url === undefined) throw refuse(badRequest('account', source))
  return { chainId, address, account: parsed.address, url }
}

/** Requests a payment from the faucet. Nothing from its response is passed on. */
async function askFaucet({ log }: Dependencies, { chainId, address, url }: Payment) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address }),
      redirect: 'error',
      signal: AbortSignal.timeout(faucetTimeoutMs),
    })
    await response.body?.cancel()
    if (response.ok) return true
    log.warn({ chainId, status: response.status }, 'faucet refused')
  } catch (error) {
    log.warn({ chainId, reason: getErrorMessage(error) }, 'faucet failed')
  }
  return false
}

const faucetUnavailable: Failure = {
  status: 503,
  field: 'faucet',
  description: 'The faucet does not respond. Try again in a minute',
  retryAfterSeconds: 60,
}
