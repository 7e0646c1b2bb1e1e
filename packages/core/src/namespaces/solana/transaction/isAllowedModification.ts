import {
  type ParsedInstruction,
  type ParsedMessage,
  type ParsedTransaction,
  parseMessage,
} from './parseTransaction.ts'

const computeBudget = 'ComputeBudget111111111111111111111111111111'
const lighthouse = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'

/**
 * Whether a wallet has signed the requested transaction. The Wallet Standard lets wallets return a
 * changed transaction, and common wallets do. They add assertions of the Lighthouse program, which
 * can only make it fail, and set a priority fee if the page has set none. Nothing else may differ:
 * signers, blockhash, and the instructions with their accounts and data stay, in order. If the
 * transaction has other signers, not a single byte may differ.
 */
export function isAllowedModification(
  requested: ParsedTransaction,
  signed: ParsedTransaction,
): boolean {
  if (isSame(requested.message, signed.message)) return true
  if (requested.signers.length > 1) return false
  const [before, after] = [parseMessage(requested.message), parseMessage(signed.message)]
  const hasBudget = before.instructions.some(({ program }) => program === computeBudget)
  const isOwn = (instruction: ParsedInstruction) =>
    isAssertion(instruction) || (!hasBudget && instruction.program === computeBudget)
  return describe(before) === describe(after, isOwn)
}

// The first two instructions of the program write memory, which costs rent; the others only assert.
const isAssertion = ({ program, data }: ParsedInstruction) =>
  program === lighthouse && (data[0] ?? 0) > 1

/** The effects of a message, without the instructions that are `left` out. */
function describe(
  message: ParsedMessage,
  left: (instruction: ParsedInstruction) => boolean = () => false,
) {
  const { version, signers, blockhash, instructions } = message
  const essential = instructions
    .filter((instruction) => !left(instruction))
    .map(({ program, accounts, data }) => [program, accounts, [...data]])
  return JSON.stringify([version, signers, blockhash, essential])
}

const isSame = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((byte, index) => byte === other[index])
