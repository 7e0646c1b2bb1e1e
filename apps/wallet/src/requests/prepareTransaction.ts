import { addL1FeeMargin, LatchkeyError, readFeeRates, readL1Fee } from '@latchkey/wire'
import { type Address, formatUnits, type Hex } from 'viem'
import * as z from 'zod/mini'
import type { Chain } from '../config.ts'
import { readNode, requestNode } from '../node.ts'
import { currentAccount, currentChain } from '../state.ts'
import { describeToken } from './describeToken.ts'
import { getSigner } from './getSigner.ts'
import { accountIndex, invalidParams } from './parameters.ts'
import type { PreparedRequest, WalletRequest } from './walletRequest.ts'

const quantity = z.optional(z.string().check(z.regex(/^0x[0-9a-f]{1,64}$/i)))
const bytes = z.optional(z.string().check(z.regex(/^0x([0-9a-f]{2})*$/i)))

const transaction = z.object({
  from: z.string(),
  to: z.optional(z.nullable(z.string().check(z.regex(/^0x[0-9a-f]{40}$/i)))),
  value: quantity,
  data: bytes,
  input: bytes,
  gas: quantity,
  gasLimit: quantity,
  gasPrice: quantity,
  maxFeePerGas: quantity,
  maxPriorityFeePerGas: quantity,
  nonce: quantity,
  chainId: z.optional(z.union([z.string(), z.number()])),
})

/**
 * eth_sendTransaction: shows the amount, receiver, network and fee; signs here and sends the raw
 * transaction.
 */
export async function prepareTransaction({
  call,
  config,
  state,
}: Pick<WalletRequest, 'call' | 'config' | 'state'>): Promise<PreparedRequest> {
  const parsed = z.safeParse(z.array(transaction), call.params)
  const requested = parsed.success ? parsed.data[0] : undefined
  if (!requested) throw invalidParams('transaction')
  const index = accountIndex(state, requested.from)
  const chain = currentChain(config, state)
  if (requested.chainId !== undefined && Number(requested.chainId) !== chain.chainId)
    throw invalidParams(`chainId is not that of ${chain.name}`)
  if (Number(await readNode(chain, 'eth_chainId', [])) !== chain.chainId)
    throw new LatchkeyError('CHAIN_DISCONNECTED')

  const from = currentAccount(state)
  const to = (requested.to ?? undefined) as Address | undefined
  const value = BigInt(requested.value ?? 0)
  const data = (requested.data ?? requested.input ?? '0x') as Hex
  if (!to && data === '0x') throw invalidParams('to')
  const fees = await readFees(chain, requested)
  const draft = { from, ...(to && { to }), value: `0x${value.toString(16)}`, data }
  const gas = BigInt(
    requested.gas ?? requested.gasLimit ?? (await readNode(chain, 'eth_estimateGas', [draft])),
  )
  const l1FeeWei = await readL1Fee((method, params) => requestNode(chain, method, params), {
    chainId: `eip155:${chain.chainId}`,
    transactions: [{ to, value, data, gas }],
  })
  const maxFeeWei = gas * fees.maxFeePerGas + addL1FeeMargin(l1FeeWei)
  const { symbol, decimals } = chain.nativeCurrency
  const amount = (wei: bigint) => `${formatUnits(wei, decimals)} ${symbol}`
  return {
    title: to ? 'Send this transaction?' : 'Deploy this contract?',
    rows: [
      ...(await describeToken(data, (read) =>
        readNode(chain, 'eth_call', [{ to, data: read }, 'latest']),
      )),
      { label: 'Value', value: amount(value) },
      { label: 'To', value: to ?? 'A new contract' },
      { label: 'Network', value: `${chain.name} (${chain.chainId})` },
      { label: 'Highest fee', value: amount(maxFeeWei) },
      { label: 'Account', value: from },
      ...(data === '0x' ? [] : [{ label: 'Data', text: data }]),
    ],
    approve: async () => {
      const nonce = Number(
        requested.nonce ?? (await readNode(chain, 'eth_getTransactionCount', [from, 'pending'])),
      )
      const signed = await getSigner(index).signTransaction({
        type: 'eip1559',
        chainId: chain.chainId,
        nonce,
        gas,
        value,
        data,
        ...fees,
        ...(to && { to }),
      })
      return readNode(chain, 'eth_sendRawTransaction', [signed])
    },
  }
}

/** The fees that the page set, otherwise suitable fees for the network; in wei. */
async function readFees(
  chain: Chain,
  requested: {
    gasPrice?: string | undefined
    maxFeePerGas?: string | undefined
    maxPriorityFeePerGas?: string | undefined
  },
): Promise<{ maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }> {
  if (requested.gasPrice)
    return {
      maxFeePerGas: BigInt(requested.gasPrice),
      maxPriorityFeePerGas: BigInt(requested.gasPrice),
    }
  const { maxWei, fields } = await readFeeRates(
    (method, params) => requestNode(chain, method, params),
    chain.chainId,
  )
  const maxFeePerGas = BigInt(requested.maxFeePerGas ?? maxWei)
  const suggested = 'gasPrice' in fields ? maxWei : fields.maxPriorityFeePerGas
  const tip = BigInt(requested.maxPriorityFeePerGas ?? suggested)
  return { maxFeePerGas, maxPriorityFeePerGas: tip > maxFeePerGas ? maxFeePerGas : tip }
}
