import { createOurDapp, createOurWallet } from './latchkeyClient.ts'
import type { DappParty, HeldSession, RpcResponse, Start, WalletParty } from './parties.ts'
import { createPeerDapp, createPeerWallet } from './referenceClient.ts'
import { type ProxyParameters, startProxy } from './startProxy.ts'
import { startRelay } from './startRelay.ts'

/** A pair of a dapp's and a wallet's implementation. */
export type Pair = {
  title: string
  createDapp: (start: Start) => Promise<DappParty>
  createWallet: (start: Start) => Promise<WalletParty>
}

export const ourDappTheirWallet: Pair = {
  title: 'our dapp, their wallet',
  createDapp: createOurDapp,
  createWallet: createPeerWallet,
}
export const theirDappOurWallet: Pair = {
  title: 'their dapp, our wallet',
  createDapp: createPeerDapp,
  createWallet: createOurWallet,
}
export const ourPair: Pair = {
  title: 'our dapp, our wallet',
  createDapp: createOurDapp,
  createWallet: createOurWallet,
}
export const theirPair: Pair = {
  title: 'their dapp, their wallet',
  createDapp: createPeerDapp,
  createWallet: createPeerWallet,
}

/**
 * Starts a relay, a dapp and a wallet for a test. The other implementation drops a response that
 * arrives before its caller waits for it. No real network is that fast; `pushDelayMs` stands in for
 * the network.
 */
export async function setUp(pair: Pair) {
  const relay = await startRelay({ pushDelayMs: 10 })
  const dapp = await pair.createDapp({ relayUrl: relay.url, name: 'dapp' })
  const wallet = await pair.createWallet({ relayUrl: relay.url, name: 'wallet' })
  return { relay, dapp, wallet }
}

/** Starts a relay, a dapp and a wallet for a test, with a separate proxy for each side. */
export async function setUpOnLines(
  pair: Pair,
  lines: { dapp?: Partial<ProxyParameters>; wallet?: Partial<ProxyParameters> } = {},
) {
  const target = () => relay.url
  const dappLine = await startProxy({ target, ...lines.dapp })
  const walletLine = await startProxy({ target, ...lines.wallet })
  const relay = await startRelay({ pushDelayMs: 10, audiences: [dappLine.url, walletLine.url] })
  const dapp = await pair.createDapp({ relayUrl: dappLine.url, name: 'dapp' })
  const wallet = await pair.createWallet({ relayUrl: walletLine.url, name: 'wallet' })
  return { relay, dappLine, walletLine, dapp, wallet }
}

/**
 * Opens a session: the wallet pairs and approves the dapp's proposal. Returns the session from each
 * side's view.
 */
export async function openSession(
  dapp: DappParty,
  wallet: WalletParty,
): Promise<{ topic: string; atDapp: HeldSession; atWallet: HeldSession }> {
  const told = wallet.next('session_proposal')
  const { uri, approval } = await dapp.connect()
  await wallet.pair(uri)
  const { id } = await told
  const [atWallet, atDapp] = await Promise.all([wallet.approve(id), approval])
  return { topic: atDapp.topic, atDapp, atWallet }
}

/** Sets up a settled session. */
export async function setUpSession(pair: Pair) {
  const parties = await setUp(pair)
  return { ...parties, ...(await openSession(parties.dapp, parties.wallet)) }
}

/** The wallet responds to the next request; returns the request. */
export async function answerNext(wallet: WalletParty, answer: RpcResponse) {
  const request = await wallet.next('session_request')
  await wallet.respond(request.topic, request.id, answer)
  return request
}
