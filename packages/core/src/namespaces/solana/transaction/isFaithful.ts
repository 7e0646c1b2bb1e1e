import {
  type Instruction,
  type Message,
  parseMessage,
  type SignedTransaction,
} from './parseTransaction.ts'

const computeBudget = 'ComputeBudget111111111111111111111111111111'
const lighthouse = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'

/**
 * Whether a wallet has signed what it was asked to. The Wallet Standard lets wallets hand back a
 * transaction that they have changed, and the widespread ones do: they guard it with assertions of
 * the Lighthouse program, which can only make it fail, and set a priority fee where the page has
 * set none. Nothing else may differ: signers, blockhash, and the instructions with their accounts
 * and data stay, in their order. Where others sign too, or have signed, not a byte may.
 */
export function isFaithful(requested: SignedTransaction, signed: SignedTransaction): boolean {
  if (isSame(requested.message, signed.message)) return true
  if (requested.signers.length > 1) return false
  const [before, after] = [parseMessage(requested.message), parseMessage(signed.message)]
  const hasBudget = before.instructions.some(({ program }) => program === computeBudget)
  const isOwn = (instruction: Instruction) =>
    isAssertion(instruction) || (!hasBudget && instruction.program === computeBudget)
  return describe(before) === describe(after, isOwn)
}

// The first two instructions of the program write memory, which costs rent; the others only assert.
const isAssertion = ({ program, data }: Instruction) => program === lighthouse && (data[0] ?? 0) > 1

/** All that a message does, without the instructions that are `left` out. */
function describe(message: Message, left: (instruction: Instruction) => boolean = () => false) {
  const { version, signers, blockhash, instructions } = message
  const essential = instructions
    .filter((instruction) => !left(instruction))
    .map(({ program, accounts, data }) => [program, accounts, [...data]])
  return JSON.stringify([version, signers, blockhash, essential])
}

const isSame = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((byte, index) => byte === other[index])
