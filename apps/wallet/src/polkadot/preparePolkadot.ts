import {
  decodeSs58Address,
  encodePayload,
  parsePayload,
  type TransactionPayload,
  wrapMessage,
} from '@latchkey/wire/polkadot'
import { bytesToHex, hexToNumber } from 'viem'
import * as z from 'zod/mini'
import type { PolkadotNetwork } from '../config.ts'
import { invalidParams } from '../requests/parameters.ts'
import type { PreparedRequest, WalletRequest } from '../requests/walletRequest.ts'
import { connectPolkadotSite, currentPolkadotAccount } from '../state.ts'
import { polkadotAccounts } from './accounts.ts'
import { describeCall, describeTip } from './describeCall.ts'
import { signPolkadot } from './signPolkadot.ts'

const messageParams = z.object({ address: z.string(), message: z.string() })
const transactionParams = z.object({ address: z.string(), transactionPayload: z.unknown() })

/** Prepares a Polkadot request (WalletConnect's methods) for display. Throws LatchkeyError. */
export function preparePolkadot(
  ask: WalletRequest & { networks: readonly PolkadotNetwork[] },
): PreparedRequest {
  const { method, params } = ask.call
  if (method === 'polkadot_requestAccounts') return prepareConnect(ask)
  if (method === 'polkadot_signMessage') {
    const parsed = z.safeParse(messageParams, params)
    if (!parsed.success) throw invalidParams('message')
    return prepareMessage(ask, parsed.data)
  }
  const parsed = z.safeParse(transactionParams, params)
  if (!parsed.success) throw invalidParams('transactionPayload')
  return prepareTransaction(ask, parsed.data)
}

function prepareConnect({ origin, state }: WalletRequest): PreparedRequest {
  const account = currentPolkadotAccount(state)
  return {
    title: 'Connect this site on Polkadot?',
    rows: [
      { label: 'Account', value: account },
      { label: 'Allows', value: 'See this address and request signatures' },
    ],
    approve: async () => {
      connectPolkadotSite(origin, Date.now())
      return [{ address: account }]
    },
  }
}

function prepareMessage(
  { state }: WalletRequest,
  { address, message }: z.output<typeof messageParams>,
): PreparedRequest {
  const index = findIndex(state, address)
  return {
    title: 'Sign this message?',
    rows: [
      { label: 'Message', text: message },
      { label: 'Account', value: address },
    ],
    approve: async () => ({ signature: bytesToHex(signPolkadot(index, wrapMessage(message))) }),
  }
}

function prepareTransaction(
  { state, networks }: WalletRequest & { networks: readonly PolkadotNetwork[] },
  { address, transactionPayload }: z.output<typeof transactionParams>,
): PreparedRequest {
  const index = findIndex(state, address)
  const payload = parsePayload(transactionPayload)
  if (findIndex(state, payload.address) !== index) throw invalidParams('address')
  const network = networks.find(
    ({ id }) => id === `polkadot:${payload.genesisHash.slice(2, 34).toLowerCase()}`,
  )
  if (!network) throw invalidParams('genesisHash is of no network of this wallet')
  const { rows, isUnknown } = describeCall(network, payload.method)
  const tip = describeTip(network, payload)
  const warnings = [
    ...(isUnknown ? ['The wallet cannot say what this call does.'] : []),
    ...(tip.isHigh ? ['The tip is far higher than is usual.'] : []),
  ]
  return {
    title: 'Sign this transaction?',
    rows: [
      ...rows,
      tip.row,
      ...(payload.assetId
        ? [{ label: 'Fee (and tip) paid in the asset', text: payload.assetId }]
        : []),
      { label: 'Valid', value: describeEra(payload) },
      { label: 'Number of the transaction', value: `${BigInt(payload.nonce)}` },
      { label: 'Network', value: network.name },
      { label: 'Account', value: address },
    ],
    ...(warnings.length > 0 && { warning: warnings.join(' ') }),
    approve: async () => ({
      // The first byte stands for sr25519.
      signature: `0x01${bytesToHex(signPolkadot(index, encodePayload(payload))).slice(2)}`,
    }),
  }
}

/**
 * How long a transaction can be included. The era contains the number of blocks as a power of two.
 */
function describeEra({ era, blockNumber }: TransactionPayload): string {
  if (era === '0x00') return 'Until it is used'
  const blocks = 2 << (hexToNumber(era.slice(0, 4) as `0x${string}`) & 15)
  return `For ${blocks} blocks from about block ${BigInt(blockNumber)}`
}

/**
 * Index of the account with this address, with any prefix. Throws unless it is the account in use.
 */
function findIndex(state: WalletRequest['state'], address: string): number {
  const current = currentPolkadotAccount(state)
  const account = decodeSs58Address(address)
  if (!account || String(account) !== String(decodeSs58Address(current)))
    throw invalidParams('address')
  return polkadotAccounts.indexOf(current)
}
