import { expect, test } from 'vitest'
import { createKey, signMessage } from '../../../test/injectedWallet.ts'
import { connectorId, hasUri, openPage, phoneOf, uriOf, useRelay } from '../../../test/pairing.ts'
import { bothChains } from '../../../test/phone.ts'
import { connect } from '../../connection/connect.ts'
import { latchkeyOne, polkadot } from '../../networks.ts'
import { signMessage as signText } from '../../send/sign.ts'
import { wrapMessage } from './signature/checkAnswer.ts'
import { encodeAddress } from './ss58.ts'

useRelay()

const own = createKey(1)
const other = createKey(2)
const chainId = polkadot.caipNetworkId
const address = encodeAddress(own.publicKey, 0)
const sign = (key: typeof own, text: string) =>
  `0x${Buffer.from(signMessage(key, wrapMessage(text))).toString('hex')}`

test('default: what a WalletConnect wallet signs is verified', async () => {
  const { app } = openPage(undefined, {}, { networks: [latchkeyOne, polkadot] })
  const phone = await phoneOf()
  const methods = ['polkadot_signMessage']
  phone.namespaces = {
    ...bothChains,
    polkadot: { accounts: [`${chainId}:${address}`], methods, events: [] },
  }
  const connecting = connect(app, { connectorId })
  await hasUri(app)
  await phone.scan(uriOf(app))
  await connecting
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
