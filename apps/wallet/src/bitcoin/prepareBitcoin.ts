import { bytesToHex, decodeBase64, encodeBase64, LatchkeyError } from '@latchkey/wire'
import { formatBitcoinScript } from '@latchkey/wire/bitcoin'
import { Transaction } from '@scure/btc-signer'
import { formatUnits } from 'viem'
import * as z from 'zod/mini'
import type { BitcoinChain } from '../config.ts'
import { invalidParams } from '../requests/parameters.ts'
import type { PreparedRequest, Row, WalletRequest } from '../requests/walletRequest.ts'
import { connectBitcoinSite } from '../state.ts'
import { getBitcoinAddresses } from './accounts.ts'
import { signInputs, signText } from './signBitcoin.ts'

const maxLength = 400_000
const maxShown = 100

const messageParams = z.object({
  account: z.string(),
  /** The account's address that signs. */
  address: z.optional(z.string()),
  message: z.string(),
})
const psbtParams = z.object({
  psbt: z.string().check(z.maxLength(maxLength)),
  signInputs: z.array(
    z.object({
      address: z.string(),
      index: z.int().check(z.minimum(0)),
      sighashTypes: z.optional(z.array(z.int())),
    }),
  ),
})

/** A Bitcoin request in WalletConnect's words: makes it readable. Throws LatchkeyError. */
export async function prepareBitcoin(
  ask: WalletRequest & { chain: BitcoinChain },
): Promise<PreparedRequest> {
  const { method } = ask.call
  if (method === 'bip122_requestAddresses') return prepareConnect(ask)
  if (method === 'signMessage') return prepareMessage(ask)
  if (method === 'signPsbt') return preparePsbt(ask)
  throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
}

function prepareConnect({ origin, state }: WalletRequest): PreparedRequest {
  const addresses = getBitcoinAddresses(state.account)
  const [payment, ordinals] = addresses
  return {
    title: 'Connect this site on Bitcoin?',
    rows: [
      { label: 'Payments', value: payment.address },
      { label: 'Ordinals', value: ordinals.address },
      { label: 'It may', value: 'See these addresses and ask for signatures' },
    ],
    approve: async () => {
      connectBitcoinSite(origin, Date.now())
      return addresses
    },
  }
}

function prepareMessage({ call, state }: WalletRequest): PreparedRequest {
  const { account, address = account, message } = parse(messageParams, call.params)
  const own = getBitcoinAddresses(state.account).find((one) => one.address === address)
  if (!own) throw invalidParams('address')
  const purpose = own.intention === 'payment' ? 'payment' : 'ordinals'
  return {
    title: 'Sign this message?',
    rows: [
      { label: 'Message', text: message },
      { label: 'Address', value: address },
    ],
    approve: async () => {
      const signature = await signText(state.account, { message, purpose })
      return { address, signature: bytesToHex(signature) }
    },
  }
}

function preparePsbt({
  call,
  chain,
  state,
}: WalletRequest & { chain: BitcoinChain }): PreparedRequest {
  const params = parse(psbtParams, call.params)
  const transaction = readPsbt(params.psbt)
  const own = getBitcoinAddresses(state.account).map(({ address }) => address)
  const inputs = readInputs(transaction)
  const outputs = readOutputs(transaction)
  for (const { address, index } of params.signInputs)
    if (!own.includes(address) || inputs[index]?.address !== address)
      throw invalidParams('signInputs')
  const { rows, sent } = describe({ inputs, outputs, own })
  const unusual = params.signInputs.some(({ sighashTypes }) =>
    sighashTypes?.some((type) => type > 1),
  )
  const fee = sum(inputs) - sum(outputs)
  const warnings = [
    ...(unusual ? ['Others can change parts of this transaction after you have signed it.'] : []),
    ...(fee > sent && sent > 0n ? ['The fee is more than what is sent.'] : []),
    ...(fee < 0n ? ['It pays more than it spends, so somebody adds to it.'] : []),
  ]
  return {
    title: 'Sign this transaction?',
    rows: [...rows, { label: 'Fee', value: toBtc(fee) }, { label: 'Network', value: chain.name }],
    ...(warnings.length > 0 && { warning: warnings.join(' ') }),
    approve: async () => {
      for (const { index, sighashTypes } of params.signInputs)
        if (sighashTypes?.[0] !== undefined)
          transaction.updateInput(index, { sighashType: sighashTypes[0] })
      const asked = params.signInputs.map(({ index }) => index)
      signInputs(transaction, { index: state.account, inputs: asked })
      return { psbt: encodeBase64(transaction.toPSBT()) }
    },
  }
}

/** An input or output as a person reads it. */
type Part = { address: string | undefined; value: bigint }

/** What the account pays to others, and what comes back to it. */
function describe(parameters: {
  inputs: readonly Part[]
  outputs: readonly Part[]
  own: readonly string[]
}): { rows: Row[]; sent: bigint } {
  const { inputs, outputs, own } = parameters
  const isOwn = ({ address }: Part) => address !== undefined && own.includes(address)
  const lines = (parts: readonly Part[], label: (part: Part) => string): Row[] =>
    parts.slice(0, maxShown).map((part, at) => ({
      label: `${at + 1}. ${label(part)}`,
      value: `${toBtc(part.value)}${part.address ? ` · ${part.address}` : ''}`,
    }))
  const others = outputs.filter((part) => !isOwn(part))
  const rows = [
    ...lines(outputs, (part) =>
      isOwn(part) ? 'Back to you' : part.address ? 'Pays' : 'Data, or an unusual script',
    ),
    ...lines(inputs, (part) => (isOwn(part) ? 'Spends yours' : 'Spends somebody else’s')),
  ]
  return { rows, sent: sum(others) }
}

const sum = (parts: readonly Part[]) => parts.reduce((total, { value }) => total + value, 0n)

const toBtc = (value: bigint) => `${formatUnits(value, 8)} BTC`

function readPsbt(text: string): Transaction {
  try {
    return Transaction.fromPSBT(decodeBase64(text) ?? new Uint8Array(), {
      allowUnknownOutputs: true,
    })
  } catch {
    throw invalidParams('psbt')
  }
}

const readInputs = (transaction: Transaction): Part[] =>
  Array.from({ length: transaction.inputsLength }, (_, at) => {
    const { witnessUtxo } = transaction.getInput(at)
    if (!witnessUtxo) throw invalidParams('psbt')
    return {
      address: formatBitcoinScript(witnessUtxo.script, 'regtest'),
      value: witnessUtxo.amount,
    }
  })

const readOutputs = (transaction: Transaction): Part[] =>
  Array.from({ length: transaction.outputsLength }, (_, at) => {
    const { script = new Uint8Array(), amount = 0n } = transaction.getOutput(at)
    return { address: formatBitcoinScript(script, 'regtest'), value: amount }
  })

function parse<Schema extends z.ZodMiniType>(schema: Schema, params: unknown): z.output<Schema> {
  const parsed = z.safeParse(schema, params)
  if (!parsed.success) throw invalidParams(String(parsed.error.issues[0]?.path.join('.')))
  return parsed.data
}
