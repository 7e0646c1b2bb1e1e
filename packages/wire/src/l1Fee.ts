import { bytesToHex } from './encoding/bytesToHex.ts'
import { isError, LatchkeyError } from './errors/errors.ts'

/** The facts of a transaction that its fee depends on. `gas`: its gas limit. */
export type L1FeeTransaction = {
  readonly to?: string | undefined
  readonly value?: bigint | undefined
  readonly data?: string | undefined
  readonly gas: bigint
}

/** A transaction for a fee oracle: in hex, without its signature and with it. `chainId`: CAIP-2. */
export type L1FeeBytes = {
  readonly chainId: string
  readonly unsigned: string
  readonly signed: string
  readonly gas: bigint
}

/** A contract that returns what a rollup charges for a transaction in addition to its gas. */
export type L1FeeOracle = {
  readonly address: string
  /** The calldata of the calls to the contract. */
  ask(transaction: L1FeeBytes): string[]
  /**
   * The fee in wei from the results of these calls; undefined if the contract does not exist. A
   * result is undefined if the contract does not have the function. Throws ANSWER_INVALID.
   */
  read(answers: readonly (string | undefined)[]): bigint | undefined
}

/** Mantle and its test network. Their fee for data is in ether, and a ratio converts it. */
const mantle = ['eip155:5000', 'eip155:5003']

/** Contracts that have one function, and count the signature too. */
const countingAll = (address: string): L1FeeOracle => ({
  address,
  ask: ({ signed }) => [encodeGetL1Fee(signed)],
  read: ([fee]) => {
    const data = readWord(fee)
    return data === undefined ? undefined : assertFee(data)
  },
})

/**
 * The networks that charge for a transaction's data in addition to its gas, identified by the
 * contract that returns the fee. Other rollups count the data in gas, and their nodes in
 * `eth_estimateGas`: Arbitrum, Linea, zkSync and rollups built like zkSync.
 */
export const l1FeeOracles: readonly L1FeeOracle[] = [
  {
    // The OP stack. Since Isthmus there may be a fee for the operator.
    address: '0x420000000000000000000000000000000000000F',
    ask: ({ chainId, unsigned, gas }) => [
      encodeGetL1Fee(unsigned),
      `0x275aedd2${word(gas)}`, // getOperatorFee(uint256)
      ...(mantle.includes(chainId) ? ['0x06f837d3'] : []), // tokenRatio()
    ],
    read: (answers) => {
      const [fee, operatorFee, ratio] = answers
      const data = readWord(fee)
      if (data === undefined) return undefined
      const factor = answers.length > 2 ? readWord(ratio) : 1n
      if (factor === undefined) throw new LatchkeyError('ANSWER_INVALID')
      return assertFee(data * factor + (readWord(operatorFee) ?? 0n))
    },
  },
  // Scroll and Morph.
  countingAll('0x5300000000000000000000000000000000000002'),
  countingAll('0x530000000000000000000000000000000000000F'),
]

/** Whether a node's error means that a contract failed. Other errors are not about the contract. */
export const isContractFailure = (message: string): boolean =>
  /revert|opcode|gas|execution|\bevm\b/i.test(message)

/**
 * Reads what the network charges for transactions in addition to their gas, in wei, at this time: 0
 * on a network that counts everything in gas. `chainId`: CAIP-2. Throws ANSWER_INVALID, and the
 * errors of `request`.
 */
export async function readL1Fee(
  request: (method: string, params: unknown[]) => Promise<unknown>,
  given: { readonly chainId: string; readonly transactions: readonly L1FeeTransaction[] },
): Promise<bigint> {
  const [first, ...others] = given.transactions.map((one) => toBytes(given.chainId, one))
  if (!first) return 0n
  const fees = l1FeeOracles.map(async (oracle) => {
    const fee = await askOracle(request, oracle, first)
    if (fee === undefined) return []
    const more = await Promise.all(others.map((one) => askOracle(request, oracle, one)))
    if (more.includes(undefined)) throw new LatchkeyError('ANSWER_INVALID')
    return [fee, ...more]
  })
  const all = (await Promise.all(fees)).flat()
  return all.reduce<bigint>((sum, fee) => sum + (fee ?? 0n), 0n)
}

/**
 * The fee of an oracle; undefined if the network has no such contract. Throws ANSWER_INVALID if the
 * contract exists but returns no result.
 */
async function askOracle(
  request: Parameters<typeof readL1Fee>[0],
  oracle: L1FeeOracle,
  transaction: L1FeeBytes,
): Promise<bigint | undefined> {
  const answers = await readAnswers(request, oracle, transaction)
  const fee = oracle.read(answers)
  if (fee !== undefined || answers[0] === '0x') return fee
  // Large data can exceed the call's limit, so a contract that returns a result for one byte counts
  // as an oracle.
  const { chainId, gas } = transaction
  const least = { chainId, unsigned: '0x00', signed: '0x00', gas } as const
  const leastFee = oracle.read(await readAnswers(request, oracle, least))
  if (leastFee !== undefined) throw new LatchkeyError('ANSWER_INVALID')
  return undefined
}

function readAnswers(
  request: Parameters<typeof readL1Fee>[0],
  { address, ask }: L1FeeOracle,
  transaction: L1FeeBytes,
): Promise<(string | undefined)[]> {
  const answers = ask(transaction).map(async (data) => {
    try {
      const answer = await request('eth_call', [{ to: address, data }, 'latest'])
      return typeof answer === 'string' ? answer : undefined
    } catch (error) {
      if (isError(error, 'RPC_FAILED') && isContractFailure(error.message)) return undefined
      throw error
    }
  })
  return Promise.all(answers)
}

/**
 * Bytes of the fields that are still unknown: type, chain id, nonce, fees, gas limit, and the
 * prefixes of all fields.
 */
const otherBytes = 36
/** Bytes of a signature with its prefixes. */
const signatureBytes = 67

/**
 * Not the transaction itself, but at least as many bytes, which a rollup cannot compress better.
 */
function toBytes(
  chainId: string,
  { to = '', value = 0n, data = '0x', gas }: L1FeeTransaction,
): L1FeeBytes {
  const noise = bytesToHex(crypto.getRandomValues(new Uint8Array(otherBytes + signatureBytes)))
  const amount = value === 0n ? '' : value.toString(16)
  const unsigned = `${noise.slice(0, 2 * otherBytes)}${to.slice(2)}${'0'.repeat(amount.length % 2)}${amount}${data.slice(2)}`
  const signature = noise.slice(2 * otherBytes)
  return { chainId, unsigned: `0x${unsigned}`, signed: `0x${unsigned}${signature}`, gas }
}

/** getL1Fee(bytes) */
function encodeGetL1Fee(bytes: string): string {
  const digits = bytes.slice(2)
  const padding = '0'.repeat((64 - (digits.length % 64)) % 64)
  return `0x49948e0e${word(32n)}${word(BigInt(digits.length / 2))}${digits}${padding}`
}

const word = (value: bigint) => value.toString(16).padStart(64, '0')

const readWord = (answer: string | undefined) =>
  answer !== undefined && /^0x[0-9a-f]{64}$/i.test(answer) ? BigInt(answer) : undefined

/**
 * A million whole units of a currency with 18 decimals. A node that returns more is broken or
 * malicious.
 */
export const maxL1FeeWei: bigint = 10n ** 24n

function assertFee(wei: bigint): bigint {
  if (wei <= maxL1FeeWei) return wei
  throw new LatchkeyError('ANSWER_INVALID')
}
