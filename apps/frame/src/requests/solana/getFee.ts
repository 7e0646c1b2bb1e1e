import type { SolanaMessage } from '@latchkey/wire/solana'
import type { DecodedInstruction } from './instructions/decodeInstructions.ts'

const lamportsPerSignature = 5_000n
const defaultUnits = 200_000n
const maxUnits = 1_400_000n
const microPerLamport = 1_000_000n
const signatureChecks = ['ed25519', 'secp256k1', 'secp256r1']

/**
 * The maximum fee of a transaction in lamports, computed from its bytes. The tag of a fee setting
 * decides, because the network ignores trailing bytes.
 */
export function readSolanaFee(
  { signerCount }: Pick<SolanaMessage, 'signerCount'>,
  instructions: readonly DecodedInstruction[],
): bigint {
  const budget = instructions.filter(({ known }) => known === 'computeBudget')
  const find = (tag: number, part: readonly [number, number]) => {
    const found = budget.find(({ data }) => data[0] === tag && data.length >= part[1])
    return found && toNumber(found.data.subarray(...part))
  }
  const others = BigInt(instructions.length - budget.length)
  const wanted = find(2, [1, 5]) ?? find(0, [1, 5]) ?? others * defaultUnits
  const units = wanted < maxUnits ? wanted : maxUnits
  const price = find(3, [1, 9]) ?? 0n
  const priority = (units * price + microPerLamport - 1n) / microPerLamport
  // These programs charge for each signature that they verify; the first byte is the number of
  // signatures.
  const checked = instructions
    .filter(({ known }) => known !== undefined && signatureChecks.includes(known))
    .reduce((sum, { data }) => sum + BigInt(data[0] ?? 0), 0n)
  const extra = find(0, [5, 9]) ?? 0n
  return (BigInt(signerCount) + checked) * lamportsPerSignature + priority + extra
}

const toNumber = (bytes: Uint8Array) =>
  bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n)
