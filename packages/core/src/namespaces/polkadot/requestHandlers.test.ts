import { encodeAddress, encodePayload, parsePayload, wrapMessage } from '@latchkey/wire/polkadot'
import { expect, test } from 'vitest'
import { createKey, createPayload, signMessage } from '../../../test/injectedWallet.ts'
import { connectorId, hasUri, openPage, phoneOf, uriOf, useRelay } from '../../../test/pairing.ts'
import { bothChains } from '../../../test/phone.ts'
import { connect } from '../../connection/connect.ts'
import { latchkeyOne, polkadot } from '../../networks.ts'
import { signMessage as signText } from '../../send/sign.ts'

useRelay()

const own = createKey(1)
const other = createKey(2)
const chainId = polkadot.caipNetworkId
const address = encodeAddress(own.publicKey, 0)
const sign = (key: typeof own, text: string) =>
  `0x${Buffer.from(signMessage(key, wrapMessage(text))).toString('hex')}`

async function paired(methods: string[]) {
  const { app } = openPage(undefined, {}, { networks: [latchkeyOne, polkadot] })
  const phone = await phoneOf()
  phone.namespaces = {
    ...bothChains,
    polkadot: { accounts: [`${chainId}:${address}`], methods, events: [] },
  }
  const connecting = connect(app, { connectorId })
  await hasUri(app)
  await phone.scan(uriOf(app))
  await connecting
  return { app, phone }
}

test('default: what a WalletConnect wallet signs is verified', async () => {
  const { app, phone } = await paired(['polkadot_signMessage'])
  const answer = (result: unknown) => {
    phone.answers.polkadot_signMessage = () => ({ result })
    return signText(app, { message: 'Hello', namespace: 'polkadot' })
  }
  const signature = sign(own, 'Hello')
  expect(await answer({ signature })).toBe(signature)
  expect(phone.requests.at(-1)).toMatchObject({ chainId, params: { address, message: 'Hello' } })
  for (const [result, code] of [
    [{ signature: sign(other, 'Hello') }, 'WALLET_SIGNED_OTHER'],
    [{ signature: sign(own, 'Hallo') }, 'WALLET_SIGNED_OTHER'],
    [{ signature: '0x' }, 'WALLET_ANSWER_INVALID'],
    [null, 'WALLET_ANSWER_INVALID'],
  ] as const)
    await expect(answer(result)).rejects.toMatchObject({ code })
  const asked = phone.requests.length
  const foreign = { address: other.address, message: 'Hello' }
  await expect(
    app.connectors.get(connectorId)?.request(chainId, 'polkadot_signMessage', foreign),
  ).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(phone.requests).toHaveLength(asked)
})

test('behavior: a transaction, whose signature includes its type; an unapproved method is not sent', async () => {
  const { app, phone } = await paired(['polkadot_signTransaction'])
  const transactionPayload = createPayload(polkadot)
  const ask = (payload: object = transactionPayload) =>
    app.connectors
      .get(connectorId)
      ?.request(chainId, 'polkadot_signTransaction', { address, transactionPayload: payload })
  const sign = (key: typeof own, tip = '0x5678') => {
    const message = encodePayload(parsePayload({ ...transactionPayload, tip }))
    return Buffer.from(signMessage(key, message)).toString('hex')
  }
  const answers = { own: sign(own), other: sign(other), changed: sign(own, '0x01') }
  phone.answers.polkadot_signTransaction = () => ({ result: { id: 1, signature: answers.own } })
  expect(await ask({ ...transactionPayload, extra: 1 })).toEqual({
    signature: `0x01${answers.own}`,
  })
  expect(phone.requests.at(-1)).toMatchObject({
    chainId,
    params: { address, transactionPayload },
  })
  expect(phone.requests.at(-1)?.params).not.toHaveProperty('transactionPayload.extra')
  for (const signature of [answers.other, answers.changed, `00${answers.own}`]) {
    phone.answers.polkadot_signTransaction = () => ({ result: { signature } })
    await expect(ask()).rejects.toMatchObject({ code: 'WALLET_SIGNED_OTHER' })
  }
  const asked = phone.requests.length
  await expect(signText(app, { message: 'Hello', namespace: 'polkadot' })).rejects.toMatchObject({
    code: 'UNSUPPORTED_METHOD',
  })
  expect(phone.requests).toHaveLength(asked)
})
