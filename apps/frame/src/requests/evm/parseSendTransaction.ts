import { LatchkeyError, omitNulls } from '@latchkey/wire'
import type { Hex } from 'viem'
import * as z from 'zod/mini'
import { isSelfExecution } from '../../isSelfExecution.ts'
import type { ApprovalRequest } from '../approvalRequest.ts'
import {
  assertAccount,
  invalidParameters,
  optionalBytes,
  optionalValue,
  readValue,
} from '../params.ts'
import { checkFees, feeFields } from './checkFees.ts'
import { findAllowance } from './lowerAllowance.ts'
import type { EvmCall } from './readCall.ts'

// The page's gas, fees and nonce are ignored. Fields that change the type of the transaction are
// refused.
const transaction = z.object({
  from: z.optional(z.string()),
  to: z.optional(z.string().check(z.regex(/^(0x[0-9a-f]{40})?$/i))),
  value: optionalValue,
  data: optionalBytes,
  input: optionalBytes,
  chainId: z.optional(z.union([z.string(), z.number()])),
  authorizationList: z.optional(z.never()),
  ...feeFields,
})

/** `requestedAllowance`: set if the call does nothing else; the user may lower it. */
export type ParsedCall = { readonly call: EvmCall; readonly requestedAllowance: bigint | undefined }

/** Parses the call of an eth_sendTransaction. Throws the errors of {@link prepareTransaction}. */
export function parseSendTransaction(request: ApprovalRequest): ParsedCall {
  const call = parseCall(request)
  return { call, requestedAllowance: findAllowance(call, request) }
}

function parseCall({ params, accounts, chain }: ApprovalRequest): EvmCall {
  const parsed = z.safeParse(z.array(transaction).check(z.length(1)), omitNulls(params))
  const requested = parsed.success ? parsed.data[0] : undefined
  if (!requested) throw invalidParameters('transaction')
  checkFees(requested)
  if (requested.from !== undefined) assertAccount(requested.from, accounts.eip155)
  if (requested.chainId !== undefined && Number(requested.chainId) !== Number(chain.reference))
    throw invalidParameters(`chainId is not that of ${chain.name}`)
  const to = (requested.to || undefined) as Hex | undefined
  const data = (requested.data || requested.input || '0x') as Hex
  if (
    requested.data &&
    requested.input &&
    requested.data.toLowerCase() !== requested.input.toLowerCase()
  )
    throw invalidParameters('data and input differ')
  if (!to && data === '0x') throw invalidParameters('to')
  if (isSelfExecution(accounts.eip155, { to, data })) throw new LatchkeyError('REQUEST_NOT_ALLOWED')
  const { accessList } = requested
  return { to, value: readValue(requested.value), data, ...(accessList && { accessList }) }
}
