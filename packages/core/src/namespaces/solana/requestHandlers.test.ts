import { encodeBase58 } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { connectorId, hasUri, openPage, phoneOf, uriOf, useRelay } from '../../../test/pairing.ts'
import { bothChains } from '../../../test/phone.ts'
import {
  buildTransaction,
  createKey,
  signBytes,
  signTransaction,
} from '../../../test/standardWallet.ts'
import { connect } from '../../connection/connect.ts'
import { latchkeyOne, solana } from '../../networks.ts'

useRelay()

const own = createKey(1)
const other = createKey(2)
const chainId = solana.caipNetworkId
/** As some wallets still call Solana's main network. */
const legacyId = 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ'
const message = encodeBase58(new TextEncoder().encode('Hello'))
const unsigned = buildTransaction({
  keys: [own.publicKey, other.publicKey, new Uint8Array(32)],
  instructions: [{ program: 2, accounts: [0, 1], data: [2, 0, 0, 0, 1] }],
})
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const signed = signTransaction(unsigned, own)
const signature = encodeBase58(signed.slice(1, 65))

async function paired(
  methods = ['solana_signMessage', 'solana_signTransaction', 'solana_signAllTransactions'],
) {
  const { app } = openPage(undefined, {}, { networks: [latchkeyOne, solana] })
  const phone = await phoneOf()
  phone.namespaces = {
    ...bothChains,
    solana: { accounts: [`${legacyId}:${own.address}`], methods, events: [] },
  }
  const connecting = connect(app, { connectorId })
  await hasUri(app)
  await phone.scan(uriOf(app))
  await connecting
  const request = (method: string, params: object) =>
    app.connectors.get(connectorId)?.request(chainId, method, params)
  return { app, phone, request }
}

test('default', async () => {
  const { app, phone, request } = await paired()
  const { connections } = app.store.getState()
  expect(connections.solana).toMatchObject({
    chainId,
    caipAddress: `${chainId}:${own.address}`,
    connectorId,
  })
  expect(connections.eip155).toMatchObject({ connectorId })
  expect(phone.proposals.at(-1)?.optionalNamespaces?.solana?.chains).toEqual([chainId, legacyId])
  expect(await request('solana_getAccounts', {})).toEqual([{ pubkey: own.address }])

  const bytes = new TextEncoder().encode('Hello')
  phone.answers.solana_signMessage = () => ({
    result: { signature: encodeBase58(signBytes(own, bytes)) },
  })
  expect(await request('solana_signMessage', { message, pubkey: own.address })).toEqual({
    signature: encodeBase58(signBytes(own, bytes)),
  })
  expect(phone.requests.at(-1)).toMatchObject({ chainId: legacyId, params: { message } })

  const transaction = base64(unsigned)
  const answer = { signature, transaction: base64(signed) }
  // Some wallets hand back the signature alone.
  for (const result of [{ signature }, answer]) {
    phone.answers.solana_signTransaction = () => ({ result })
    expect(await request('solana_signTransaction', { transaction })).toEqual(answer)
  }
  phone.answers.solana_signAllTransactions = () => ({ result: { transactions: [base64(signed)] } })
  expect(await request('solana_signAllTransactions', { transactions: [transaction] })).toEqual({
    transactions: [base64(signed)],
  })
})

test('error: what a wallet signs in another way, or has not approved', async () => {
  const { phone, request } = await paired()
  const bytes = new TextEncoder().encode('Hello')
  const answers = [
    [{ signature: encodeBase58(signBytes(other, bytes)) }, 'WALLET_SIGNED_OTHER'],
    [{ signature: encodeBase58(signBytes(own, new Uint8Array(3))) }, 'WALLET_SIGNED_OTHER'],
    [{ signature: 'O' }, 'WALLET_ANSWER_INVALID'],
    [null, 'WALLET_ANSWER_INVALID'],
  ] as const
  for (const [result, code] of answers) {
    phone.answers.solana_signMessage = () => ({ result })
    await expect(request('solana_signMessage', { message })).rejects.toMatchObject({ code })
  }
  const asked = phone.requests.length
  const foreign = { message, pubkey: other.address }
  await expect(request('solana_signMessage', foreign)).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  })
  // Not approved: a node is not asked in the wallet's place.
  const transaction = base64(unsigned)
  await expect(request('solana_signAndSendTransaction', { transaction })).rejects.toMatchObject({
    code: 'UNSUPPORTED_METHOD',
  })
  expect(phone.requests).toHaveLength(asked)
})
