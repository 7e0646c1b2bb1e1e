import type { Hex } from 'viem'
import { invalidParams } from '../params.ts'
import { type Call, readCall } from './readCall.ts'

/** Which word of the parameters is the amount, by selector. All of them are single words. */
const amountWords: Readonly<Record<string, number>> = {
  // approve, increaseAllowance and its older name
  '0x095ea7b3': 1,
  '0x39509351': 1,
  '0xd73dd623': 1,
  // Permit2's approve
  '0x87517c45': 2,
}

const getWord = (data: Hex) => amountWords[data.slice(0, 10).toLowerCase()]

/**
 * The amount, in smallest units, if all that a call of the account does is to allow another to take
 * an amount; else undefined.
 */
export function findAllowance(
  call: Call,
  { accounts }: { readonly accounts: { readonly eip155: Hex } },
): bigint | undefined {
  const [effect, ...others] = readCall(call, accounts.eip155)
  if (getWord(call.data) === undefined || effect?.kind !== 'allow' || others.length > 0)
    return undefined
  return effect.asset.amount > 0n ? effect.asset.amount : undefined
}

/**
 * The same call with less. Throws INVALID_PARAMS for nothing, or for more than the page asks for.
 */
export function lowerAllowance(
  { call, asked }: { readonly call: Call; readonly asked: bigint | undefined },
  amount: bigint,
): { readonly call: Call; readonly asked: bigint } {
  if (asked === undefined || amount <= 0n || amount > asked) throw invalidParams('amount')
  return { call: { ...call, data: replaceAllowance(call.data, amount) }, asked }
}

/** The data of such a call with another amount. Throws RangeError for another call. */
function replaceAllowance(data: Hex, amount: bigint): Hex {
  const word = getWord(data)
  if (word === undefined) throw new RangeError('not an allowance')
  const at = 10 + word * 64
  return `${data.slice(0, at)}${amount.toString(16).padStart(64, '0')}${data.slice(at + 64)}` as Hex
}
