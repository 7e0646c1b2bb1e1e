import { createPrivateKey, createPublicKey, sign as signEd25519 } from 'node:crypto'
import { connect, createApp, request } from '@latchkey/core'
import { bitcoin, latchkeyOne, polkadot, solana } from '@latchkey/core/networks'
import { encodeBase58 } from '@latchkey/wire'
import { encodeAddress, wrapMessage } from '@latchkey/wire/polkadot'
import { p2wpkh } from '@scure/btc-signer'
import { concatBytes, pubECDSA, sha256x2 } from '@scure/btc-signer/utils.js'
import { getPublicKey, secretFromSeed, sign as signSr25519 } from '@scure/sr25519'
import { toHex } from 'viem'
import { sign as signSecp256k1 } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { account } from './eip155.ts'
import { createPeerWallet } from './referenceClient.ts'
import { answerNext, setUp, theirDappOurWallet } from './setUp.ts'
import { startRelay } from './startRelay.ts'

const text = 'Hello'
const bytes = new TextEncoder().encode(text)
const secret = secretFromSeed(new Uint8Array(32).fill(5))
// RFC 8410: the prefix of the key in both of its forms.
const pkcs8 = Buffer.from(`302e020100300506032b657004220420${'07'.repeat(32)}`, 'hex')
const edKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
const edPublic = createPublicKey(edKey).export({ format: 'der', type: 'spki' }).subarray(-32)
const bitcoinKey = new Uint8Array(32).fill(9)

const networks = [latchkeyOne, solana, bitcoin, polkadot] as const
const addresses = {
  eip155: account.address,
  solana: encodeBase58(edPublic),
  bip122: p2wpkh(pubECDSA(bitcoinKey)).address ?? '',
  polkadot: encodeAddress(getPublicKey(secret), 0),
}
const methods = {
  eip155: ['personal_sign'],
  solana: ['solana_signMessage'],
  bip122: ['signMessage'],
  polkadot: ['polkadot_signMessage'],
}
const signatures = {
  solana: encodeBase58(signEd25519(null, bytes, edKey)),
  bip122: await signBitcoin(),
  polkadot: `0x${Buffer.from(signSr25519(secret, wrapMessage(text))).toString('hex')}`,
}

/** A recoverable ECDSA signature of the message (BIP-137) in hex, by a P2WPKH address. */
async function signBitcoin(): Promise<string> {
  const magic = Buffer.from('\x18Bitcoin Signed Message:\n')
  const hash = toHex(sha256x2(concatBytes(magic, Uint8Array.of(bytes.length), bytes)))
  const { r, s, yParity = 0 } = await signSecp256k1({ hash, privateKey: toHex(bitcoinKey) })
  return `${(39 + yParity).toString(16)}${r.slice(2)}${s.slice(2)}`
}

/** A session with all four namespaces, with one account in each. */
const granted = Object.fromEntries(
  networks.map(({ chainNamespace: namespace, caipNetworkId }) => [
    namespace,
    {
      chains: [caipNetworkId],
      accounts: [`${caipNetworkId}:${addresses[namespace]}`],
      methods: methods[namespace],
      events: [],
    },
  ]),
)

test('default: our app and their wallet, one session of four namespaces', async () => {
  const relay = await startRelay({ pushDelayMs: 10 })
  const app = createApp(
    {
      projectId: 'local',
      apiUrl: 'http://127.0.0.1:1',
      networks,
      wallets: { injected: false, walletConnect: { relayUrl: relay.url } },
    },
    {
      fetch: () => Promise.reject(new Error('No fetch in this test')),
      warn: () => {},
      webSocket: WebSocket as unknown as typeof globalThis.WebSocket,
    },
  )
  onTestFinished(app.destroy)
  const wallet = await createPeerWallet({ relayUrl: relay.url, name: 'wallet' })
  const proposed = wallet.next('session_proposal')
  const connecting = connect(app, { connectorId: 'walletConnect' })
  const getUri = () => {
    const { connections } = app.store.getState()
    return Object.values(connections).flatMap((one) => ('uri' in one ? (one.uri ?? []) : []))[0]
  }
  await expect.poll(getUri).toMatch(/^wc:/)
  await wallet.pair(getUri() ?? '')
  const { id, asked } = await proposed
  for (const { chainNamespace, caipNetworkId } of networks) {
    expect(asked[chainNamespace]?.chains).toContain(caipNetworkId)
    expect(asked[chainNamespace]?.methods).toEqual(expect.arrayContaining(methods[chainNamespace]))
  }
  await wallet.approve(id, granted)
  await connecting
  // Each namespace has its own address, and no other.
  for (const { chainNamespace, caipNetworkId } of networks)
    expect(app.store.getState().connections[chainNamespace]).toMatchObject({
      status: 'connected',
      chainId: caipNetworkId,
      accounts: [{ namespace: chainNamespace, address: addresses[chainNamespace] }],
    })

  const ask = async (
    namespace: keyof typeof addresses,
    question: { method: string; params: object },
    answer: Parameters<typeof answerNext>[1],
  ) => {
    const answered = answerNext(wallet, answer)
    const chainId = networks.find((one) => one.chainNamespace === namespace)?.caipNetworkId
    const parameters = { ...question, ...(chainId && { chainId }) }
    const result = await request(app, parameters).catch((error: unknown) => error)
    expect(await answered).toMatchObject({ chainId, method: question.method })
    return result
  }
  const signature = await account.signMessage({ message: text })
  const params = [`0x${Buffer.from(bytes).toString('hex')}`, addresses.eip155]
  expect(await ask('eip155', { method: 'personal_sign', params }, { result: signature })).toBe(
    signature,
  )
  const solanaParams = { message: encodeBase58(bytes), pubkey: addresses.solana }
  expect(
    await ask(
      'solana',
      { method: 'solana_signMessage', params: solanaParams },
      { result: { signature: signatures.solana } },
    ),
  ).toEqual({ signature: signatures.solana })
  const polkadotParams = { address: addresses.polkadot, message: text }
  expect(
    await ask(
      'polkadot',
      { method: 'polkadot_signMessage', params: polkadotParams },
      { result: { signature: signatures.polkadot } },
    ),
  ).toEqual({ signature: signatures.polkadot })
  const { bip122: address } = addresses
  const bitcoinQuestion = {
    method: 'signMessage',
    params: { account: address, address, message: text, protocol: 'ecdsa' },
  }
  const answer = { address, signature: signatures.bip122 }
  expect(await ask('bip122', bitcoinQuestion, { result: answer })).toEqual(answer)
  expect(
    await ask('bip122', bitcoinQuestion, { error: { code: 4001, message: 'No.' } }),
  ).toMatchObject({ code: 'USER_REJECTED' })
  const other = `${answer.signature.slice(0, -2)}${answer.signature.endsWith('00') ? '01' : '00'}`
  expect(
    await ask('bip122', bitcoinQuestion, { result: { address, signature: other } }),
  ).toMatchObject({ code: 'WALLET_SIGNED_OTHER' })
})

test('default: their app and our wallet, one session of four namespaces', async () => {
  const { dapp, wallet } = await setUp(theirDappOurWallet)
  const proposed = wallet.next('session_proposal')
  const optional = Object.fromEntries(
    networks.map(({ chainNamespace, caipNetworkId }) => [
      chainNamespace,
      { chains: [caipNetworkId], methods: methods[chainNamespace], events: [] },
    ]),
  )
  const { uri, approval } = await dapp.connect(optional)
  await wallet.pair(uri)
  const { id, asked } = await proposed
  expect(asked).toEqual(optional)
  await wallet.approve(id, granted)
  const { topic, namespaces } = await approval
  expect(namespaces).toEqual(granted)
  for (const { chainNamespace, caipNetworkId } of networks) {
    const [method = ''] = methods[chainNamespace]
    const answered = answerNext(wallet, { result: { signature: chainNamespace } })
    expect(await dapp.request(topic, method, { message: text }, caipNetworkId)).toEqual({
      signature: chainNamespace,
    })
    expect(await answered).toMatchObject({ chainId: caipNetworkId, method })
  }
})
