import { expect, test } from 'vitest'
import { buildPsbt, ordinals, payment, signPsbt } from '../../../test/bitcoinWallets.ts'
import { connectorId, hasUri, openPage, phoneOf, uriOf, useRelay } from '../../../test/pairing.ts'
import { bothChains } from '../../../test/phone.ts'
import { connect } from '../../connection/connect.ts'
import { bitcoin, latchkeyOne } from '../../networks.ts'

useRelay()

const chainId = bitcoin.caipNetworkId
const account = payment.address
const message = 'Hello World'
const toHex = (base64: string) => Buffer.from(base64, 'base64').toString('hex')
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

async function paired(methods = ['signMessage', 'signPsbt', 'sendTransfer']) {
  const { app } = openPage(undefined, {}, { networks: [latchkeyOne, bitcoin] })
  const phone = await phoneOf()
  phone.namespaces = {
    ...bothChains,
    bip122: { accounts: [`${chainId}:${account}`], methods, events: [] },
  }
  const connecting = connect(app, { connectorId })
  await hasUri(app)
  await phone.scan(uriOf(app))
  await connecting
  const request = (method: string, params: object) =>
    app.connectors.get(connectorId)?.request(chainId, method, params)
  /** Asks, and has the phone answer with `result`. */
  const ask = (method: string, params: object, result: unknown) => {
    phone.answers[method] = () => ({ result })
    return request(method, params)
  }
  return { phone, request, ask }
}

test('default: messages of both addresses, a PSBT and a transfer are verified', async () => {
  const { phone, request, ask } = await paired()
  expect(await request('getAccountAddresses', { account })).toEqual([{ address: account }])
  for (const { address, signature } of [payment, ordinals]) {
    const params = { account, address, message, protocol: 'bip322' }
    const answer = { address, signature: toHex(signature) }
    expect(await ask('signMessage', params, answer)).toEqual(answer)
    expect(phone.requests.at(-1)).toMatchObject({ chainId, params })
  }
  const asked = { account, message, protocol: 'bip322' }
  for (const [result, code] of [
    [{ address: account, signature: toHex(ordinals.signature) }, 'WALLET_SIGNED_OTHER'],
    [{ address: account, signature: 'ff' }, 'WALLET_SIGNED_OTHER'],
    [{ signature: null }, 'WALLET_ANSWER_INVALID'],
    [null, 'WALLET_ANSWER_INVALID'],
  ] as const)
    await expect(ask('signMessage', asked, result)).rejects.toMatchObject({ code })
  await expect(
    ask('signMessage', { ...asked, message: 'Hello' }, { signature: payment.signature }),
  ).rejects.toMatchObject({ code: 'WALLET_SIGNED_OTHER' })

  const bytes = buildPsbt().toPSBT()
  const signInputs = [payment, ordinals].map(({ address }, index) => ({ address, index }))
  const params = { account, psbt: base64(bytes), signInputs }
  const signed = base64(signPsbt(bytes, [0, 1]))
  const { psbt } = (await ask('signPsbt', params, { psbt: signed, txid: 'x' })) as { psbt: string }
  // The result holds the signatures and no other data from the wallet.
  expect(await ask('signPsbt', params, { psbt })).toEqual({ psbt })
  const otherOutputs = signPsbt(buildPsbt([40_000n, 150_000n]).toPSBT(), [0, 1])
  for (const [result, code] of [
    [{ psbt: base64(otherOutputs) }, 'WALLET_SIGNED_OTHER'],
    [{ psbt: base64(signPsbt(bytes, [0])) }, 'WALLET_ANSWER_INVALID'],
    [{ txid: 'ab'.repeat(32) }, 'WALLET_ANSWER_INVALID'],
  ] as const)
    await expect(ask('signPsbt', params, result)).rejects.toMatchObject({ code })

  const transfer = { account, recipientAddress: ordinals.address, amount: '1000' }
  const txid = 'ab'.repeat(32)
  expect(await ask('sendTransfer', transfer, { txid })).toEqual({ txid })
  await expect(ask('sendTransfer', transfer, { txid: 'sent' })).rejects.toMatchObject({
    code: 'WALLET_ANSWER_INVALID',
  })
})

test('error: another account, a broadcast, and a method that is not approved are not asked for', async () => {
  const { phone, request } = await paired(['signMessage', 'signPsbt'])
  const psbt = base64(buildPsbt().toPSBT())
  const signInputs = [{ address: account, index: 0 }]
  for (const [method, params, code] of [
    ['signMessage', { account: ordinals.address, message }, 'UNAUTHORIZED'],
    ['signPsbt', { account, psbt, signInputs, broadcast: true }, 'INVALID_PARAMS'],
    [
      'sendTransfer',
      { account, recipientAddress: ordinals.address, amount: '1000' },
      'UNSUPPORTED_METHOD',
    ],
  ] as const)
    await expect(request(method, params)).rejects.toMatchObject({ code })
  expect(phone.requests).toEqual([])
})

test('behavior: returns the wallet’s addresses with their purpose', async () => {
  const { ask } = await paired(['getAccountAddresses'])
  const answers = (result: unknown) => ask('getAccountAddresses', { account }, result)
  const other = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
  expect(
    await answers([
      { address: ordinals.address, intention: 'ordinal', publicKey: 'not hex', path: 'm/86' },
      { address: account.toUpperCase(), publicKey: payment.publicKey, intention: 'payment' },
      { address: account },
      { address: other },
      { address: 'nobody' },
      { address: 7 },
      {},
    ]),
  ).toEqual([
    { address: account, publicKey: payment.publicKey, intention: 'payment' },
    { address: ordinals.address, intention: 'ordinal' },
  ])
  for (const nonsense of [null, 'x', {}, [], [null], [{ address: other }]])
    await expect(answers(nonsense)).rejects.toMatchObject({ code: 'WALLET_ANSWER_INVALID' })
})
