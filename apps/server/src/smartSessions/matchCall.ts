import type { Allowed, ArgumentRule } from '@latchkey/wire/permissions'
import type { Address, Hex } from 'viem'
import { decodeFunctionData, encodeFunctionData, parseAbi } from 'viem'

/** One call of a session. */
export type SessionCall = { readonly to: Address; readonly value: bigint; readonly data: Hex }

const transferAbi = parseAbi(['function transfer(address to, uint256 amount)'])

/** Whether an allowed action covers a call; the amounts of allowances are counted elsewhere. */
export function covers(allowed: Allowed, { to, value, data }: SessionCall): boolean {
  switch (allowed.kind) {
    case 'native':
      return data === '0x' && value <= allowed.amount
    case 'erc20': {
      const amount = readTransfer(data)
      return (
        to === allowed.token && value === 0n && amount !== undefined && amount <= allowed.amount
      )
    }
    case 'call':
      return (
        to === allowed.contract &&
        value <= allowed.valueLimit &&
        data.slice(0, 10) === allowed.selector &&
        allowed.rules.every((rule) => keeps(rule, data))
      )
  }
}

/** The amount that a call uses of an allowance, in the smallest unit. */
export function getAmount(allowed: Allowed, { value, data }: SessionCall): bigint {
  if (allowed.kind === 'native') return value
  return allowed.kind === 'erc20' ? (readTransfer(data) ?? 0n) : 0n
}

/**
 * The amount of a token's `transfer`, only if it is encoded exactly as Solidity does it, so that
 * both read the same.
 */
function readTransfer(data: Hex): bigint | undefined {
  try {
    const { args } = decodeFunctionData({ abi: transferAbi, data })
    const again = encodeFunctionData({ abi: transferAbi, functionName: 'transfer', args })
    return again === data ? args[1] : undefined
  } catch {
    return undefined
  }
}

function keeps({ index, operator, word }: ArgumentRule, data: Hex): boolean {
  const start = 10 + 64 * index
  const text = data.slice(start, start + 64)
  if (text.length < 64) return false
  const given = BigInt(`0x${text}`)
  if (operator === 'EQUAL') return given === word
  return operator === 'GREATER_THAN' ? given > word : given < word
}
