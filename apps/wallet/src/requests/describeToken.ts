import {
  decodeFunctionData,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  formatUnits,
  type Hex,
} from 'viem'
import type { Row } from './walletRequest.ts'

/**
 * An ERC-20 transfer or approval in words when `data` is one, else nothing. `read` calls the token
 * with that data.
 */
export async function describeToken(
  data: Hex,
  read: (data: Hex) => Promise<string>,
): Promise<Row[]> {
  const call = decode(data)
  if (!call) return []
  const { kind, from, other, units } = call
  const [symbol, decimals] = await Promise.all([
    readToken('symbol', read).catch(() => undefined),
    readToken('decimals', read).catch(() => undefined),
  ])
  const name = symbol ? symbol.slice(0, 32) : 'of a token without a symbol'
  // Without decimals the amount could be off by any power of ten.
  const amount =
    decimals === undefined
      ? `${units} smallest units ${name}`
      : `${formatUnits(units, Number(decimals))} ${name}`
  const isApproval = kind === 'approve'
  return [
    {
      label: isApproval ? 'Lets spend' : 'Sends',
      value: isApproval && units >= 2n ** 255n ? `Unlimited ${name}` : amount,
    },
    ...(from ? [{ label: 'Out of', value: from }] : []),
    { label: isApproval ? 'Spender' : 'Receiver', value: other },
  ]
}

function decode(data: Hex) {
  try {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data })
    if (functionName === 'transfer' || functionName === 'approve')
      return { kind: functionName, from: undefined, other: args[0], units: args[1] }
    if (functionName !== 'transferFrom') return undefined
    return { kind: functionName, from: args[0], other: args[1], units: args[2] }
  } catch {
    return undefined
  }
}

async function readToken(
  functionName: 'symbol' | 'decimals',
  read: (data: Hex) => Promise<string>,
): Promise<string> {
  const data = (await read(encodeFunctionData({ abi: erc20Abi, functionName }))) as Hex
  return String(decodeFunctionResult({ abi: erc20Abi, functionName, data }))
}
