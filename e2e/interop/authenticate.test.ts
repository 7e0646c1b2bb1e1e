import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { account, chainId, methods, namespaces } from './eip155.ts'
import {
  answerNext,
  ourDappTheirWallet,
  ourPair,
  setUp,
  theirDappOurWallet,
  theirPair,
} from './setUp.ts'

const nonce = 'a1b2c3d4e5f6a7b8'
const signer = `did:pkh:${chainId}:${account.address}`

describe.each([ourDappTheirWallet, theirDappOurWallet, ourPair, theirPair])('$title', (pair) => {
  test('default: signing in opens a session at once', async () => {
    const { dapp, wallet } = await setUp(pair)
    const told = wallet.next('session_authenticate')
    const { uri, answer } = await dapp.authenticate({ nonce, methods })
    await wallet.pair(uri)
    const request = await told
    expect(request).toMatchObject({ requester: 'dapp', nonce })
    await wallet.approveAuth(request.id)
    const { signers, session } = await answer
    expect(signers).toEqual([signer])
    expect(session?.namespaces.eip155?.accounts).toEqual([`${chainId}:${account.address}`])
    expect(session?.namespaces.eip155?.methods).toEqual(expect.arrayContaining(methods))

    const topic = session?.topic ?? ''
    expect(wallet.sessions()).toMatchObject([{ topic, peer: 'dapp' }])
    const asked = answerNext(wallet, { result: '0x01' })
    expect(await dapp.request(topic, 'personal_sign', ['0x00'])).toBe('0x01')
    await asked
  })

  test('error: the wallet refuses to sign in', async () => {
    const { dapp, wallet } = await setUp(pair)
    const told = wallet.next('session_authenticate')
    const { uri, answer } = await dapp.authenticate({ nonce, methods })
    const refused = expect(answer).rejects.toEqual(dapp.authRefusal(12001, 'No.'))
    await wallet.pair(uri)
    await wallet.rejectAuth((await told).id)
    await refused
    expect([dapp.sessions(), wallet.sessions()]).toEqual([[], []])
  })

  test('behavior: a wallet that cannot sign in gets a proposal', async () => {
    const { dapp, wallet } = await setUp(pair)
    const told = wallet.next('session_proposal')
    const { uri, answer } = await dapp.authenticate({ nonce, methods })
    await wallet.pair(uri)
    await wallet.approve((await told).id)
    const { signers, session } = await answer
    expect(signers).toEqual([])
    expect(session?.namespaces).toEqual(namespaces)
    await dapp.ping(session?.topic ?? '')
  })
})

describe.each([theirDappOurWallet, ourPair])('$title', (pair) => {
  test('error: a signature by another account signs no user in', async () => {
    const { dapp, wallet } = await setUp(pair)
    const told = wallet.next('session_authenticate')
    const { uri, answer } = await dapp.authenticate({ nonce, methods })
    const refused = expect(answer).rejects.toBeDefined()
    await wallet.pair(uri)
    await wallet.approveAuth((await told).id, privateKeyToAccount(generatePrivateKey()))
    await refused
    expect(dapp.sessions()).toEqual([])
  })
})
