import type { Session } from '@latchkey/walletconnect'
import * as z from 'zod/mini'
import { accounts } from '../../accounts.ts'
import type { Config } from '../../config.ts'
import type { Outcome } from '../../extension/protocol.ts'
import { invalidParams } from '../../requests/parameters.ts'
import { getChainIds, getScope, indexOfAddress } from '../sessions/sessionScope.ts'
import { fail } from './readBatch.ts'

const hexNumber = z.string().check(z.regex(/^0x[0-9a-f]{1,64}$/i))

/** wallet_getCapabilities (EIP-5792): `[address, chainIds?]`, only of accounts and networks of the session. */
export function answerCapabilities(asked: {
  params: unknown
  config: Config
  session: Session
}): Outcome {
  const parsed = z.safeParse(
    z.tuple([z.string(), z.optional(z.array(hexNumber))]),
    Array.isArray(asked.params) && asked.params.length === 1
      ? [asked.params[0], undefined]
      : asked.params,
  )
  if (!parsed.success) throw invalidParams('address')
  const [address, wanted] = parsed.data
  const { indexes } = getScope(asked.session, asked.config)
  const index = indexOfAddress(address)
  if (index === undefined || !indexes.includes(index) || !accounts[index])
    return fail(4100, 'The wallet has not allowed this')
  const numbers = wanted?.map(Number)
  const shown = getChainIds(asked.session, asked.config).filter(
    (chainId) => !numbers || numbers.includes(chainId),
  )
  return {
    result: Object.fromEntries(
      shown.map((chainId) => [`0x${chainId.toString(16)}`, { atomic: { status: 'unsupported' } }]),
    ),
  }
}
