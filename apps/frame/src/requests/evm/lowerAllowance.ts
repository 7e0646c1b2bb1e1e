import type { Hex } from 'viem'
import { invalidParameters } from '../params.ts'
import { type EvmCall, readCall } from './readCall.ts'

/**
 * The index of the parameter word with the amount, by selector. All parameters are single words.
 */
const amountWords: Readonly<Record<string, number>> = {
  // approve, increaseAllowance, and its older name.
  '0x095ea7b3': 1,
  '0x39509351': 1,
  '0xd73dd623': 1,
  // Permit2's approve
  '0x87517c45': 2,
}

const getWord = (data: Hex) => amountWords[data.slice(0, 10).toLowerCase()]

/**
 * The allowance in smallest units, if a call of the account does nothing but give a spender an
 * allowance; otherwise undefined.
 */
export function findAllowance(
  call: EvmCall,
  { accounts }: { readonly accounts: { readonly eip155: Hex } },
): bigint | undefined {
  const [effect, ...others] = readCall(call, accounts.eip155)
  if (getWord(call.data) === undefined || effect?.kind !== 'allow' || others.length > 0)
    return undefined
  return effect.asset.amount > 0n ? effect.asset.amount : undefined
}

/**
 * Returns the same call with a smaller allowance. Throws INVALID_PARAMS if the amount is zero or
 * exceeds the requested amount.
 */
export function lowerAllowance(
  {
    call,
    requestedAllowance,
  }: { readonly call: EvmCall; readonly requestedAllowance: bigint | undefined },
  amount: bigint,
): { readonly call: EvmCall; readonly requestedAllowance: bigint } {
  if (requestedAllowance === undefined || amount <= 0n || amount > requestedAllowance)
    throw invalidParameters('amount')
  return { call: { ...call, data: replaceAllowance(call.data, amount) }, requestedAllowance }
}

/** Replaces the amount in the data of such a call. Throws RangeError for any other call. */
function replaceAllowance(data: Hex, amount: bigint): Hex {
  const word = getWord(data)
  if (word === undefined) throw new RangeError('not an allowance')
  const at = 10 + word * 64
  return `${data.slice(0, at)}${amount.toString(16).padStart(64, '0')}${data.slice(at + 64)}` as Hex
}
