import { type Address, concat, type Hex, numberToHex } from 'viem'
import { hexQuantity } from '../../evm/schemas.ts'
import type { AskChain } from '../askChain.ts'
import { getIntrinsicGas } from './byteGas.ts'

/**
 * Code that calls the address in the first 20 bytes of its input with the rest of the input, and
 * returns how much gas that used.
 *
 * 36 6005 57 00 5b: takes a payment without input; 6014 36 03 80 6014 5f 37: copies the rest, and
 * keeps its length; 5a 90: notes the gas that is left; 5f 5f 91 5f 5f 5f35 6060 1c 5a f1 50: calls;
 * 5a 90 03 5f 52 6020 5f f3: returns the difference.
 */
const probe = concat([
  '0x36600557005b',
  '0x601436038060145f37',
  '0x5a90',
  '0x5f5f915f5f5f3560601c5af150',
  '0x5a90035f5260205ff3',
])

type Call = { readonly from: string; readonly to: string; readonly data: string }
type State = Readonly<Record<string, object>>

/**
 * Whether a call that fails without a reason uses nearly all gas up to `limit`: then it ran out of
 * gas. Nearly, because each contract that calls another keeps a sixty-fourth part. `overrides`: the
 * state of accounts in the call.
 */
export async function usesAll(
  ask: AskChain,
  { from, to, data }: Call,
  { limit, overrides }: { readonly limit: bigint; readonly overrides: State },
): Promise<boolean> {
  const input = concat([to as Address, data as Hex])
  const gas = numberToHex(limit + getIntrinsicGas(input))
  const state = { ...overrides, [from]: { ...overrides[from], code: probe } }
  const [reply] = await ask([
    { method: 'eth_call', params: [{ to: from, data: input, gas }, 'latest', state] },
  ])
  const used = hexQuantity.safeParse(reply?.result)
  return used.success && used.data > (limit * 7n) / 8n
}
