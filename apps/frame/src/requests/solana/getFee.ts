import type { SolanaMessage } from '@latchkey/wire/solana'
import type { Instruction } from './instructions/decodeInstructions.ts'

const lamportsPerSignature = 5_000n
const defaultUnits = 200_000n
const maxUnits = 1_400_000n
const microPerLamport = 1_000_000n
const signatureChecks = ['ed25519', 'secp256k1', 'secp256r1']

/** The highest fee of a transaction in lamports, computed from its bytes. */
export function getFee(
  { signerCount }: Pick<SolanaMessage, 'signerCount'>,
  instructions: readonly Instruction[],
): bigint {
  const find = (name: string, field: string) => {
    const value = instructions.find((one) => one.name === name)?.fields[field]
    return typeof value === 'bigint' ? value : undefined
  }
  const others = instructions.filter(({ known }) => known !== 'computeBudget').length
  const limit = find('computeLimit', 'units') ?? find('computeDeprecated', 'units')
  const wanted = limit ?? BigInt(others) * defaultUnits
  const units = wanted < maxUnits ? wanted : maxUnits
  const price = find('computePrice', 'microLamports') ?? 0n
  const priority = (units * price + microPerLamport - 1n) / microPerLamport
  // These programs take a fee for each signature that they check; the first byte is their number.
  const checked = instructions
    .filter(({ known }) => known !== undefined && signatureChecks.includes(known))
    .reduce((sum, { data }) => sum + BigInt(data[0] ?? 0), 0n)
  const extra = find('computeDeprecated', 'extraFee') ?? 0n
  return (BigInt(signerCount) + checked) * lamportsPerSignature + priority + extra
}
