import type { Session } from '@latchkey/walletconnect'
import * as z from 'zod/mini'
import { accounts } from '../../accounts.ts'
import type { Config } from '../../config.ts'
import type { Outcome } from '../../extension/protocol.ts'
import { invalidParams } from '../../requests/parameters.ts'
import { findAddressIndex, getChainIds, getScope } from '../sessions/sessionScope.ts'
import { fail } from './readBatch.ts'

const hexNumber = z.string().check(z.regex(/^0x[0-9a-f]{1,64}$/i))

/** wallet_getCapabilities (EIP-5792): `[address, chainIds?]`, only of accounts and networks of the session. */
export function answerCapabilities(parameters: {
  params: unknown
  config: Config
  session: Session
}): Outcome {
  const parsed = z.safeParse(
    z.tuple([z.string(), z.optional(z.array(hexNumber))]),
    Array.isArray(parameters.params) && parameters.params.length === 1
      ? [parameters.params[0], undefined]
      : parameters.params,
  )
  if (!parsed.success) throw invalidParams('address')
  const [address, requestedChains] = parsed.data
  const { indexes } = getScope(parameters.session, parameters.config)
  const index = findAddressIndex(address)
  if (index === undefined || !indexes.includes(index) || !accounts[index])
    return fail(4100, 'The wallet has not allowed this')
  const numbers = requestedChains?.map(Number)
  const chainIds = getChainIds(parameters.session, parameters.config).filter(
    (chainId) => !numbers || numbers.includes(chainId),
  )
  return {
    result: Object.fromEntries(
      chainIds.map((chainId) => [
        `0x${chainId.toString(16)}`,
        { atomic: { status: 'unsupported' } },
      ]),
    ),
  }
}
