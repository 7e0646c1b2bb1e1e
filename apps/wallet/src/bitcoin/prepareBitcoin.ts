import { bytesToHex, decodeBase64, encodeBase64, LatchkeyError } from '@latchkey/wire'
import { Transaction } from '@scure/btc-signer'
import * as z from 'zod/mini'
import type { BitcoinChain } from '../config.ts'
import { invalidParams, parseParams } from '../requests/parameters.ts'
import type { PreparedRequest, WalletRequest } from '../requests/walletRequest.ts'
import { connectBitcoinSite } from '../state.ts'
import { getBitcoinAddresses } from './accounts.ts'
import { describeTransaction, readInputs, readOutputs, toBtc } from './describeTransaction.ts'
import { prepareTransfer } from './prepareTransfer.ts'
import { signInputs, signText } from './signBitcoin.ts'

const maxLength = 400_000
/**
 * Maximum number of inputs and of outputs, because all are shown and a user must be able to read
 * them.
 */
const maxParts = 500

const messageParams = z.object({
  account: z.string(),
  /** The account's address that signs. */
  address: z.optional(z.string()),
  message: z.string(),
  /** By default BIP-137's ECDSA for payment addresses; other addresses only support BIP-322. */
  protocol: z.optional(z.enum(['ecdsa', 'bip322'])),
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

/** Prepares a Bitcoin request (WalletConnect's methods) for display. Throws LatchkeyError. */
export async function prepareBitcoin(
  ask: WalletRequest & { chain: BitcoinChain },
): Promise<PreparedRequest> {
  const { method } = ask.call
  if (method === 'bip122_requestAddresses') return prepareConnect(ask)
  if (method === 'signMessage') return prepareMessage(ask)
  if (method === 'signPsbt') return preparePsbt(ask)
  if (method === 'sendTransfer') return prepareTransfer(ask)
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
      { label: 'Allows', value: 'See these addresses and request signatures' },
    ],
    approve: async () => {
      connectBitcoinSite(origin, Date.now())
      return addresses
    },
  }
}

function prepareMessage({ call, state }: WalletRequest): PreparedRequest {
  const params = parseParams(messageParams, call.params)
  const { account, address = account, message } = params
  const own = getBitcoinAddresses(state.account).find((one) => one.address === address)
  if (!own) throw invalidParams('address')
  const purpose = own.intention === 'payment' ? 'payment' : 'ordinals'
  const { protocol = purpose === 'payment' ? 'ecdsa' : 'bip322' } = params
  if (purpose === 'ordinals' && protocol === 'ecdsa') throw invalidParams('protocol')
  return {
    title: 'Sign this message?',
    rows: [
      { label: 'Message', text: message },
      { label: 'Address', value: address },
    ],
    approve: async () => {
      const signature = await signText(state.account, { message, purpose, protocol })
      return { address, signature: bytesToHex(signature) }
    },
  }
}

function preparePsbt({
  call,
  chain,
  state,
}: WalletRequest & { chain: BitcoinChain }): PreparedRequest {
  const params = parseParams(psbtParams, call.params)
  const transaction = readPsbt(params.psbt)
  const own = getBitcoinAddresses(state.account).map(({ address }) => address)
  const inputs = readInputs(transaction)
  const outputs = readOutputs(transaction)
  if (inputs.length > maxParts || outputs.length > maxParts) throw invalidParams('psbt')
  for (const { address, index } of params.signInputs)
    if (!own.includes(address) || inputs[index]?.address !== address)
      throw invalidParams('signInputs')
  const { rows, sent, fee } = describeTransaction({ inputs, outputs, own })
  // If the request names no type, the type in the PSBT is signed.
  const unusual = params.signInputs.some(({ index, sighashTypes }) =>
    [...(sighashTypes ?? []), transaction.getInput(index).sighashType ?? 0].some(
      (type) => type > 1,
    ),
  )
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

function readPsbt(text: string): Transaction {
  try {
    return Transaction.fromPSBT(decodeBase64(text) ?? new Uint8Array(), {
      allowUnknownOutputs: true,
    })
  } catch {
    throw invalidParams('psbt')
  }
}
