import { decodeAbiParameters, type Hex } from 'viem'
import type { FrameChain } from '../chains.ts'
import type { ReadChain } from '../readChain.ts'
import { showName } from './showText.ts'

/** What a token says of itself, through our own RPC. `decimals` undefined: it is no fungible token, or does not tell. */
export type Token = { symbol: string | undefined; decimals: number | undefined }

const selectors = { symbol: '0x95d89b41', decimals: '0x313ce567' } as const

export async function readToken(
  { read, chain, signal }: { read: ReadChain; chain: FrameChain; signal?: AbortSignal | undefined },
  address: Hex,
): Promise<Token> {
  const ask = async (data: Hex) => {
    try {
      const answer = await read(chain, 'eth_call', [{ to: address, data }, 'latest'], signal)
      return typeof answer === 'string' && /^0x[0-9a-f]*$/i.test(answer) && answer.length < 4_000
        ? (answer as Hex)
        : '0x'
    } catch {
      return '0x'
    }
  }
  const [symbol, decimals] = await Promise.all([ask(selectors.symbol), ask(selectors.decimals)])
  return { symbol: readSymbol(symbol), decimals: readDecimals(decimals) }
}

function readDecimals(data: Hex): number | undefined {
  if (data.length !== 66) return undefined
  const value = BigInt(data)
  return value <= 77n ? Number(value) : undefined
}

// Some tokens answer with bytes32.
function readSymbol(data: Hex): string | undefined {
  try {
    const [text] =
      data.length === 66 ? [fromBytes32(data)] : decodeAbiParameters([{ type: 'string' }], data)
    return showName(text, 24) || undefined
  } catch {
    return undefined
  }
}

const fromBytes32 = (data: Hex) => {
  const bytes = Uint8Array.from(data.slice(2).match(/../g) ?? [], (hex) => Number.parseInt(hex, 16))
  const end = bytes.indexOf(0)
  return new TextDecoder('utf-8', { fatal: true }).decode(end < 0 ? bytes : bytes.slice(0, end))
}
