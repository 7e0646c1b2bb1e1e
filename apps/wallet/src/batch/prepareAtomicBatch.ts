import {
  addGasMargin,
  addL1FeeMargin,
  LatchkeyError,
  readFeeRates,
  readL1Fee,
} from '@latchkey/wire'
import { type Address, encodeFunctionData, formatUnits, type Hex, isAddress, parseAbi } from 'viem'
import type { Chain } from '../config.ts'
import { readNode, requestNode } from '../node.ts'
import { getSigner } from '../requests/getSigner.ts'
import { accountIndex, invalidParams } from '../requests/parameters.ts'
import type { PreparedRequest, Row, WalletRequest } from '../requests/walletRequest.ts'
import { currentAccount, currentChain, keepBatch } from '../state.ts'
import { texts } from '../texts.ts'
import { type BatchWork, describeTransactions, toTransactions } from './batchCalls.ts'

/**
 * `Simple7702Account` of ERC-4337's publishers, at the same address on every network that has it.
 */
const delegate = '0xe6Cae83BdE06E4c305530e199D7217f42808555B'
const delegateAbi = parseAbi([
  'struct Call { address target; uint256 value; bytes data; }',
  'function executeBatch(Call[] calls)',
])
/** Gas for an authorization (EIP-7702). */
const authorizationGas = 25_000n

/**
 * Prepares all calls of a batch as one transaction. It delegates the account to a contract that
 * makes the calls (EIP-7702), unless the account already delegates to it. Throws RPC_FAILED if the
 * calls would fail.
 */
export async function prepareAtomicBatch(
  { config, state }: WalletRequest,
  { batch, id, key, requestId }: BatchWork,
): Promise<PreparedRequest> {
  const chain = currentChain(config, state)
  const from = currentAccount(state)
  const index = accountIndex(state, batch.from ?? from)
  const isDelegated =
    (await readNode(chain, 'eth_getCode', [from, 'latest'])).toLowerCase() ===
    `0xef0100${delegate.slice(2).toLowerCase()}`
  const calls = batch.calls.map(({ to, value, data }) => {
    // A contract cannot be deployed by a call.
    if (!isAddress(to ?? '', { strict: false })) throw invalidParams('calls')
    return { target: to as Address, value: BigInt(value ?? 0), data: (data ?? '0x') as Hex }
  })
  const data = encodeFunctionData({ abi: delegateAbi, functionName: 'executeBatch', args: [calls] })
  const [fees, gas] = await Promise.all([readFees(chain), estimateGas(chain, { from, data })])
  const l1FeeWei = await readL1Fee((method, params) => requestNode(chain, method, params), {
    chainId: `eip155:${chain.chainId}`,
    transactions: [{ to: from, data, gas }],
  })
  const maxFeeWei = gas * fees.maxFeePerGas + addL1FeeMargin(l1FeeWei)
  const { symbol, decimals } = chain.nativeCurrency
  const rows: Row[] = [
    { label: 'Network', value: `${chain.name} (${chain.chainId})` },
    { label: 'Account', value: from },
    { label: 'Highest fee', value: `${formatUnits(maxFeeWei, decimals)} ${symbol}` },
    ...(isDelegated ? [] : [{ label: texts.becomes, value: delegate }]),
    ...(await describeTransactions(toTransactions(batch, from), { config, state })).filter(
      ({ label }) => !label.endsWith('Highest fee'),
    ),
  ]
  return {
    title: texts.sendAtomically(calls.length),
    rows,
    approve: async () => {
      const signer = getSigner(index)
      const nonce = Number(await readNode(chain, 'eth_getTransactionCount', [from, 'pending']))
      const base = { chainId: chain.chainId, nonce, gas, to: from, data, ...fees }
      // The transaction itself uses the nonce before this.
      const authorization = isDelegated
        ? undefined
        : await signer.signAuthorization?.({
            address: delegate,
            chainId: chain.chainId,
            nonce: nonce + 1,
          })
      if (!isDelegated && !authorization) throw new LatchkeyError('ATOMICITY_UNSUPPORTED')
      const signed = authorization
        ? await signer.signTransaction({
            ...base,
            type: 'eip7702',
            authorizationList: [authorization],
          })
        : await signer.signTransaction({ ...base, type: 'eip1559' })
      const hash = await readNode(chain, 'eth_sendRawTransaction', [signed])
      const { chainId } = chain
      keepBatch(key, { chainId, requestId, hashes: [hash], step: 'sent', isAtomic: true })
      return { id }
    },
  }
}

/** Estimates with the contract's code at the account, the future state. */
async function estimateGas(chain: Chain, { from, data }: { from: Address; data: Hex }) {
  const code = await readNode(chain, 'eth_getCode', [delegate, 'latest'])
  const gas = await readNode(chain, 'eth_estimateGas', [
    { from, to: from, data },
    'latest',
    { [from]: { code } },
  ])
  return addGasMargin(BigInt(gas)) + authorizationGas
}

async function readFees(chain: Chain) {
  const { maxWei, fields } = await readFeeRates(
    (method, params) => requestNode(chain, method, params),
    chain.chainId,
  )
  const tip = 'gasPrice' in fields ? maxWei : fields.maxPriorityFeePerGas
  return { maxFeePerGas: maxWei, maxPriorityFeePerGas: tip }
}
