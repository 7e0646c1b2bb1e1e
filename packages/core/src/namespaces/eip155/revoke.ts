import {
  addGasMargin,
  getFee,
  isError,
  LatchkeyError,
  readFeeRates,
  readL1Fee,
} from '@latchkey/wire'
import { encodeFunctionData, erc20Abi, erc721Abi, type Hex, parseAbi, zeroAddress } from 'viem'
import type { RevokeActions, RevokeParameters, RevokePlan } from '../revokePlan.ts'
import { getPayer } from './getPayer.ts'
import { readAllowance } from './swap/approvals.ts'
import {
  assertIncluded,
  estimateTransactionGas,
  getTransactionAmount,
  hexFields,
  insufficientGas,
  submit,
} from './transactions.ts'
import { isEvmAddress, readEvmBalance, toHex } from './values.ts'

/** Permit2, at the same address on every network that has it. */
const permit2Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const permit2Abi = parseAbi(['function lockdown((address token, address spender)[] approvals)'])

/** Revokes allowances of EVM accounts: ERC-20, ERC-721, ERC-1155 and Permit2. */
export const evmRevoke: RevokeActions = { plan }

async function plan(parameters: RevokeParameters): Promise<RevokePlan> {
  const { node, network, account, isFeePaid, sendBatch } = parameters
  const from = account.address
  const calls = toCalls(parameters)
  await assertTokens(parameters)
  const [balanceWei, rates, ...gas] = await Promise.all([
    readEvmBalance({ node, address: from }),
    readFeeRates(node, network.id),
    ...calls.map((call) => estimate(parameters, call)),
  ])
  const isBatch = calls.length > 1 && sendBatch !== undefined
  const allGas = gas.reduce((sum, one) => sum + one, 0n)
  const l1FeeWei = await readL1Fee(node, {
    chainId: network.caipNetworkId,
    transactions: calls.map((call, at) => ({ ...call, gas: gas[at] ?? 0n })),
  })
  const feeWei = getFee({ rates, gas: allGas, l1FeeWei }).maxFeeWei
  if (feeWei > balanceWei && account.type !== 'smartAccount') throw insufficientGas(network)
  return {
    account,
    chainId: network.caipNetworkId,
    fee: {
      ...getTransactionAmount(network, network.nativeCurrency, feeWei),
      payer: await getPayer(isFeePaid, { calls, isBatch, gas: allGas }),
    },
    count: isBatch ? 1 : calls.length,
    isBatch,
    execute: (signal, onStep = () => {}) => execute(parameters, { calls, signal, onStep }),
  }
}

type Call = { to: string; data: Hex }

type Run = {
  calls: readonly Call[]
  signal: AbortSignal
  onStep: (index: number) => void
}

async function execute(
  parameters: RevokeParameters,
  { calls, signal, onStep }: Run,
): Promise<void> {
  const { wallet, node, network, account, sendBatch, waitForTransaction } = parameters
  if (calls.length > 1 && sendBatch) {
    assertWanted(signal)
    try {
      if ((await sendBatch(calls, signal)) !== 'confirmed') throw refused()
      return
    } catch (error) {
      // The wallet reports only now that it cannot send them as one batch.
      if (!batchRefusals.some((code) => isError(error, code))) throw error
    }
  }
  const chainId = toHex(BigInt(network.id))
  for (const [index, call] of calls.entries()) {
    onStep(index)
    const [gas, rates] = await Promise.all([
      estimate(parameters, call),
      readFeeRates(node, network.id),
    ])
    assertWanted(signal)
    const transaction = { ...call, from: account.address, value: '0x0' as const }
    const fields = { ...hexFields(rates.fields), gas: toHex(gas), chainId }
    const hash = await submit(wallet, { ...transaction, ...fields })
    const outcome = await waitForTransaction({ hash, chainId: network.caipNetworkId, signal })
    assertIncluded(outcome)
    if (outcome.status === 'reverted') throw refused()
  }
}

const batchRefusals = ['UPGRADE_REJECTED', 'ATOMICITY_UNSUPPORTED', 'UNSUPPORTED_METHOD'] as const

/**
 * Throws REVOKE_REFUSED unless the token contract reports an allowance, like an ERC-20. On an NFT
 * contract, the call that revokes an allowance (`approve` with 0) would approve the spender for the
 * NFT with the id 0.
 */
async function assertTokens({ node, account, allowances }: RevokeParameters): Promise<void> {
  const tokens = allowances.filter(({ kind }) => kind === 'erc20')
  const reads = tokens.map(({ token, spender }) => {
    const contract = token.address.split(':').at(-1) ?? ''
    return readAllowance({ node, token: contract, owner: account.address, spender })
  })
  await Promise.all(reads).catch((error: unknown) => {
    if (isError(error, 'RPC_FAILED') || isError(error, 'ANSWER_INVALID')) throw refused(error)
    throw error
  })
}

/**
 * One call for each allowance, and one for all Permit2 allowances. The contracts are untrusted, so
 * they receive no other calls.
 */
function toCalls({ allowances, network }: RevokeParameters): Call[] {
  const pairs: { token: Hex; spender: Hex }[] = []
  const calls = allowances.flatMap(({ kind, token, tokenId, spender }) => {
    const prefix = `${network.caipNetworkId}:`
    const contract = token.address.slice(prefix.length)
    if (!token.address.startsWith(prefix) || !isEvmAddress(contract) || !isEvmAddress(spender))
      throw new LatchkeyError('INVALID_PARAMS', { data: { reason: 'the allowance' } })
    if (kind === 'permit2') {
      pairs.push({ token: contract as Hex, spender: spender as Hex })
      return []
    }
    return { to: contract, data: encode({ kind, tokenId, spender: spender as Hex }) }
  })
  if (pairs.length > 0) {
    const args = [pairs] as const
    const data = encodeFunctionData({ abi: permit2Abi, functionName: 'lockdown', args })
    calls.push({ to: permit2Address, data })
  }
  if (calls.length === 0)
    throw new LatchkeyError('INVALID_PARAMS', { data: { reason: 'no allowances' } })
  return calls
}

function encode(parameters: {
  kind: 'erc20' | 'erc721' | 'operator'
  tokenId: string | null
  spender: Hex
}): Hex {
  const { kind, tokenId, spender } = parameters
  if (kind === 'erc20')
    return encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 0n] })
  if (kind === 'operator') {
    const args = [spender, false] as const
    return encodeFunctionData({ abi: erc721Abi, functionName: 'setApprovalForAll', args })
  }
  if (tokenId === null || !/^\d{1,78}$/.test(tokenId))
    throw new LatchkeyError('INVALID_PARAMS', { data: { reason: 'the NFT' } })
  const args = [zeroAddress, BigInt(tokenId)] as const
  return encodeFunctionData({ abi: erc721Abi, functionName: 'approve', args })
}

/** Returns the gas limit of a call. Throws REVOKE_REFUSED if the call would fail. */
async function estimate({ node, account }: RevokeParameters, call: Call): Promise<bigint> {
  try {
    return addGasMargin(
      await estimateTransactionGas(node, { ...call, from: account.address, value: '0x0' } as const),
    )
  } catch (error) {
    if (isError(error, 'RPC_FAILED')) throw refused(error)
    throw error
  }
}

const refused = (cause?: Error) => new LatchkeyError('REVOKE_REFUSED', { ...(cause && { cause }) })

function assertWanted(signal: AbortSignal) {
  if (signal.aborted) throw new LatchkeyError('ABORTED')
}
