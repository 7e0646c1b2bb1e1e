import {
  accountBalance,
  type Balance,
  balanceEntry,
  type ChainId,
  isError,
  LatchkeyError,
} from '@latchkey/wire'
import * as z from 'zod/mini'
import { callApi } from '../api.ts'
import type { App } from '../createApp.ts'
import { present } from '../modal/present.ts'
import { parse } from '../parse.ts'
import { fromSmallestUnit } from '../units.ts'
import { attempt } from './attempt.ts'
import { getNativeBalance } from './getNativeBalance.ts'
import { newest } from './newest.ts'
import { read } from './read.ts'

/** Milliseconds a portfolio is good for (spec §9). */
export const portfolioLifetimeMs = 30_000
/** Milliseconds without another try after a failure (spec §9). */
export const balanceRetryBlockMs = 30_000

/** What stands for the native currency where a token's address is asked for. */
const nativeToken = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/**
 * What an account holds on a network, native first; at most 30 s old unless `forceUpdate`. When the server fails a toast
 * says so, it is left alone for 30 s, and the node's native balance stands in; without that either the error is thrown.
 */
export const getBalances = (
  app: App,
  parameters: {
    address: string
    chainId: ChainId
    forceUpdate?: boolean
    signal?: AbortSignal | undefined
  },
): Promise<readonly Balance[]> =>
  attempt(async () => {
    const { address, chainId, forceUpdate, signal } = parameters
    const id = `${chainId}:${address}`
    const saved = forceUpdate ? undefined : fresh(app, id)
    if (saved) return saved
    const work = () => load(app, { id, address, chainId, forceUpdate })
    return read(app, { key: `${forceUpdate ? 'forced ' : ''}portfolio ${id}`, work, signal })
  })

type Question = { id: string; address: string; chainId: ChainId; forceUpdate: boolean | undefined }

async function load(app: App, question: Question): Promise<readonly Balance[]> {
  const { id, address, chainId, forceUpdate } = question
  const failedAtMs = app.work.balanceFailedAtMs.get(id) ?? Number.NEGATIVE_INFINITY
  if (app.environment.now() - failedAtMs < balanceRetryBlockMs) return nativeOnly(app, question)
  try {
    const { balances: all } = await callApi(app, {
      route: accountBalance,
      params: { address },
      query: {
        currency: 'usd',
        chainId,
        forceUpdate: forceUpdate ? `${chainId}:${nativeToken}` : undefined,
      },
    })
    const balances = all.filter(({ quantity }) => quantity.decimals !== '0')
    const atMs = app.environment.now()
    app.work.balanceFailedAtMs.delete(id)
    app.storage.set(
      'portfolios',
      newest({ ...app.storage.get('portfolios'), [id]: { atMs, balances } }),
    )
    return balances
  } catch (error) {
    if (isError(error, 'ABORTED')) throw error
    app.work.balanceFailedAtMs.set(id, app.environment.now())
    present(app, new LatchkeyError('TOKEN_BALANCE_UNAVAILABLE', { cause: error }))
    return nativeOnly(app, question).catch(() => {
      throw error
    })
  }
}

async function nativeOnly(app: App, { address, chainId, forceUpdate }: Question) {
  const wei = await getNativeBalance(app, { address, chainId, forceUpdate: forceUpdate ?? false })
  const network = app.store.getState().networks.find((entry) => entry.caipNetworkId === chainId)
  if (!network) throw new LatchkeyError('NO_RPC_URL', { data: { id: chainId } })
  const { name, symbol, decimals } = network.nativeCurrency
  const quantity = { decimals: String(decimals), numeric: fromSmallestUnit(wei, decimals) }
  return [{ name, symbol, chainId, quantity, iconUrl: '' }]
}

function fresh(app: App, id: string): readonly Balance[] | undefined {
  const saved = app.storage.get('portfolios')?.[id]
  const ageMs = app.environment.now() - (saved?.atMs ?? Number.NEGATIVE_INFINITY)
  if (!saved || ageMs < 0 || ageMs >= portfolioLifetimeMs) return undefined
  return parse(z.array(balanceEntry), saved.balances)
}
