import { type Address, encodeFunctionData, type Hex, keccak256, numberToHex, parseAbi } from 'viem'
import * as z from 'zod'
import type { AskChain } from '../askChain.ts'
import { BundlerError } from '../bundlerError.ts'
import { getOverrides, type Simulation } from './simulate.ts'
import { entryPoint, packOperation, type UserOperation } from './userOperation.ts'

/** What an entity did while it validated, as the tracer below tells it. */
const traced = z.object({
  opcodes: z.array(z.string().max(20)).max(300),
  /** Slots by contract. */
  slots: z.record(z.string().max(64), z.array(z.string().max(80)).max(5_000)),
  /** Preimages of 64 bytes and more that were hashed: the keys of mappings. */
  hashed: z.array(z.string().max(2_000)).max(5_000),
  hasOutOfGas: z.boolean(),
})
export type Traced = z.infer<typeof traced>

/** Opcodes that ERC-7562 (OP-011) forbids while validating: they let validation turn out otherwise in the block. */
const forbidden = new Set(
  'GASPRICE GASLIMIT DIFFICULTY PREVRANDAO RANDOM TIMESTAMP BASEFEE BLOCKHASH NUMBER SELFBALANCE BALANCE ORIGIN CREATE CREATE2 COINBASE SELFDESTRUCT BLOBHASH BLOBBASEFEE INVALID'.split(
    ' ',
  ),
)

const abi = parseAbi([
  'struct Op { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
  'function validateUserOp(Op op, bytes32 hash, uint256 missing) returns (uint256)',
  'function validatePaymasterUserOp(Op op, bytes32 hash, uint256 maxCost) returns (bytes, uint256)',
])

/** The call by which the EntryPoint asks the account, or the paymaster, whether an operation is good. */
export function getValidationCall(
  operation: UserOperation,
  { hash, entity }: { readonly hash: Hex; readonly entity: 'account' | 'paymaster' },
): { from: Address; to: Address; data: Hex } {
  const isAccount = entity === 'account'
  const functionName = isAccount ? 'validateUserOp' : 'validatePaymasterUserOp'
  const op = packOperation(operation)
  // An account without a paymaster also pays: what it does for one wei, it does for more.
  const missing = isAccount && operation.paymaster === undefined ? 1n : 0n
  const to = isAccount ? operation.sender : (operation.paymaster ?? operation.sender)
  return {
    from: entryPoint,
    to,
    data: encodeFunctionData({ abi, functionName, args: [op, hash, missing] }),
  }
}

/** The trace of a validation. Its tracer is JavaScript for the node, as geth, reth, erigon and anvil run it. */
function traceValidation(
  operation: UserOperation,
  parameters: Parameters<typeof getValidationCall>[1],
): Simulation {
  const gas =
    parameters.entity === 'account'
      ? operation.verificationGasLimit
      : (operation.paymasterVerificationGasLimit ?? 0n)
  return {
    method: 'debug_traceCall',
    params: [
      // The transaction that the trace is about pays for itself and its bytes.
      { ...getValidationCall(operation, parameters), gas: numberToHex(gas + 1_000_000n) },
      'latest',
      { tracer, timeout: '2s', stateOverrides: getOverrides([operation]) },
    ],
  }
}

// GAS may only stand right before a call (OP-012).
const tracer = `{
opcodes: {}, slots: {}, hashed: [], last: '', out: false,
step: function (log) {
  var op = log.op.toString();
  if (this.last === 'GAS' && !/CALL$/.test(op)) this.opcodes.GAS = 1;
  this.last = op;
  if (op === 'SLOAD' || op === 'SSTORE' || op === 'TLOAD' || op === 'TSTORE') {
    var at = toHex(log.contract.getAddress());
    (this.slots[at] = this.slots[at] || {})[log.stack.peek(0).toString(16)] = 1;
  } else if (op === 'KECCAK256' || op === 'SHA3') {
    var start = parseInt(log.stack.peek(0).toString()), size = parseInt(log.stack.peek(1).toString());
    if (size >= 64 && size <= 512 && this.hashed.length < 4000) this.hashed.push(toHex(log.memory.slice(start, start + size)));
  } else if (!/^(GAS$|PUSH|DUP|SWAP|LOG)/.test(op)) this.opcodes[op] = 1;
},
fault: function (log) { if (/out of gas|OutOfGas/i.test(String(log.getError()))) this.out = true; },
result: function () {
  var slots = {};
  for (var at in this.slots) slots[at] = Object.keys(this.slots[at]);
  return { opcodes: Object.keys(this.opcodes), slots: slots, hashed: this.hashed, hasOutOfGas: this.out };
}
}`

/**
 * Throws where a validation broke a rule of ERC-7562 that a trace shows: forbidden opcodes, and storage that is not the
 * account's nor associated with it. Nobody is treated as staked. False if the node cannot trace.
 */
export async function checkValidation(
  ask: AskChain,
  {
    operation,
    hash,
    entities,
  }: {
    readonly operation: UserOperation
    readonly hash: Hex
    /** Whose code is not known. */
    readonly entities: readonly ('account' | 'paymaster')[]
  },
): Promise<boolean> {
  const replies = await ask(entities.map((entity) => traceValidation(operation, { hash, entity })))
  const traces = replies.map(({ result }) => traced.safeParse(result))
  if (!traces.every(({ success }) => success)) return false
  for (const [index, entity] of entities.entries()) {
    const trace = traces[index]?.data
    if (trace) assertRules(trace, { operation, entity })
  }
  return true
}

/** Exported for the tests of rules alone. */
export function assertRules(
  trace: Traced,
  {
    operation,
    entity,
  }: { readonly operation: UserOperation; readonly entity: 'account' | 'paymaster' },
): void {
  const used = [...trace.opcodes].filter((opcode) => forbidden.has(opcode) || opcode === 'GAS')
  if (used.length > 0)
    throw new BundlerError('opcode', `The ${entity} uses ${used.join(', ')} while it validates`)
  if (trace.hasOutOfGas) throw new BundlerError('opcode', `The ${entity} runs out of gas`)
  for (const [address, slots] of Object.entries(trace.slots)) {
    const at = `0x${address.replace(/^0x/, '')}`.toLowerCase()
    if (at === operation.sender) continue
    for (const slot of slots)
      if (!isAssociated(slot, operation.sender, trace.hashed))
        throw new BundlerError(
          'opcode',
          `The ${entity} uses storage of ${at} that is not the account's`,
        )
  }
}

/** A slot of the account (STO-021): its address, or a field of a mapping that has the account as its key. */
function isAssociated(slot: string, sender: Address, hashed: readonly string[]): boolean {
  const value = BigInt(`0x${slot.replace(/^0x/, '') || '0'}`)
  if (value === BigInt(sender)) return true
  return hashed.some((preimage) => {
    const bytes = `0x${preimage.replace(/^0x/, '')}` as Hex
    if (BigInt(bytes.slice(0, 66)) !== BigInt(sender)) return false
    const key = BigInt(keccak256(bytes))
    return value >= key && value <= key + 128n
  })
}
