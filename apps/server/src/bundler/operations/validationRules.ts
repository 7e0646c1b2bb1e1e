import { type Address, type Hex, keccak256 } from 'viem'
import type { z } from 'zod'
import { BundlerError } from '../bundlerError.ts'
import type { Facts, traced } from './tracer.ts'
import type { Entity } from './traceValidation.ts'
import type { UserOperation } from './userOperation.ts'

/**
 * Opcodes that ERC-7562 (OP-011, OP-013, OP-080) forbids while validating: they let validation turn
 * out otherwise in the block.
 */
const forbidden = new Set(
  'GASPRICE GASLIMIT DIFFICULTY PREVRANDAO RANDOM TIMESTAMP BASEFEE BLOCKHASH NUMBER SELFBALANCE BALANCE ORIGIN CREATE CREATE2 COINBASE SELFDESTRUCT BLOBHASH BLOBBASEFEE INVALID GAS'.split(
    ' ',
  ),
)

/**
 * Throws BundlerError if an entity whose code is not known broke a rule of ERC-7562. No entity is
 * treated as staked.
 */
export function assertRules(
  { facts }: Pick<z.infer<typeof traced>, 'facts'>,
  {
    operation,
    untrusted,
  }: { readonly operation: UserOperation; readonly untrusted: readonly Entity[] },
): void {
  for (const entity of untrusted) {
    const own = facts[entity === 'account' ? 0 : 1]
    const breach = own ? findBreach(own, operation.sender) : 'was not traced'
    if (breach !== undefined) throw new BundlerError('opcode', `${entity} ${breach}`)
  }
  // EREP-050: the EntryPoint asks a paymaster with a context again after the calls.
  if (untrusted.includes('paymaster') && readContextLength(facts[1]?.output ?? '0x') !== 0n)
    throw new BundlerError('opcode', 'paymaster returns a context without a stake')
}

/** The rule that an entity broke, in words; undefined if it broke none. */
function findBreach(facts: Facts, sender: Address): string | undefined {
  const opcode = facts.opcodes.find((one) => forbidden.has(one))
  if (opcode !== undefined) return `uses banned opcode: ${opcode}`
  // OP-020.
  if (facts.outOfGas > 0) return 'runs out of gas in a call'
  if (facts.error !== '') return 'fails when its validation is traced'
  const [empty] = facts.noCode
  if (empty !== undefined) return `uses the code of ${empty}, which has none`
  const [delegated] = facts.delegated
  if (delegated !== undefined) return `uses the code of ${delegated}, which delegates (EIP-7702)`
  if (facts.paid > 0) return 'sends value to another address than the EntryPoint'
  if (!facts.entryPoint.every((use) => isDeposit(use, sender)))
    return 'uses the EntryPoint for more than a deposit'
  const foreign = findForeignSlot(facts, sender)
  return foreign && `uses storage of ${foreign} that is not the account's`
}

const depositTo = '0xb760faf9'

/** OP-052 and OP-053: the account deposits for itself, by `depositTo` or without data. */
function isDeposit({ how, from, input, size }: Facts['entryPoint'][number], sender: Address) {
  if (how !== 'CALL' || from !== sender) return false
  if (size === 0) return true
  return size === 36 && input === `${depositTo}${'0'.repeat(24)}${sender.slice(2)}`
}

/** The contract of a slot that is not the account's nor associated with it (STO-010, STO-021). */
function findForeignSlot({ slots, hashed }: Facts, sender: Address): string | undefined {
  const keys = hashed
    .map((preimage) => BigInt(keccak256(preimage as Hex)))
    .sort((a, b) => (a < b ? -1 : 1))
  const isAssociated = (slot: bigint) => slot === BigInt(sender) || isNear(slot, keys)
  return Object.keys(slots).find(
    (at) => at !== sender && !slots[at]?.every((slot) => isAssociated(BigInt(`0x${slot}`))),
  )
}

/** Whether a slot is a key or up to 128 slots after a key; `keys` are sorted. */
function isNear(slot: bigint, keys: readonly bigint[]): boolean {
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((keys[middle] ?? 0n) <= slot) low = middle + 1
    else high = middle
  }
  const key = keys[low - 1]
  return key !== undefined && slot - key <= 128n
}

/** Bytes of the context that `validatePaymasterUserOp` returned. */
function readContextLength(output: string): bigint {
  const word = (at: number) => BigInt(`0x${output.slice(2 + 2 * at, 66 + 2 * at) || '0'}`)
  // Only the beginning of the return data is known. A context at an unusual position still counts
  // as a context.
  return word(0) > 160n ? 1n : word(Number(word(0)))
}
